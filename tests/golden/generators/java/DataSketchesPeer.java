import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.datasketches.memory.Memory;

/** DataSketches: keys of bytes or longs. It takes no empty keys: one is not added, and never there. */
final class DataSketchesPeer implements Peer {
  private static final long SEED = 9001; // the same always, so that the same keys make the same file

  private final boolean longs;

  private DataSketchesPeer(boolean longs) {
    this.longs = longs;
  }

  /** bytes or long. */
  static Peer of(String variant) {
    switch (variant) {
      case "bytes": return new DataSketchesPeer(false);
      case "long": return new DataSketchesPeer(true);
      default: return null;
    }
  }

  @Override
  public void write(long n, double fpr, List<byte[]> keys, OutputStream out) throws Exception {
    BloomFilter f = BloomFilterBuilder.createByAccuracy(n, fpr, SEED);
    for (byte[] key : keys) {
      if (longs) {
        f.update(Peer.longOf(key));
      } else {
        f.update(key);
      }
    }
    out.write(f.toByteArray());
  }

  @Override
  public Filter open(InputStream in) throws Exception {
    BloomFilter f = BloomFilter.heapify(Memory.wrap(in.readAllBytes()));
    return key -> longs ? f.query(Peer.longOf(key)) : f.query(key);
  }
}
