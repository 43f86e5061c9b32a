import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.spark.util.sketch.BloomFilter;

/** Spark's sketch: two versions of the file, keys of bytes or longs. */
final class SparkPeer implements Peer {
  private final BloomFilter.Version version;
  private final boolean longs;

  private SparkPeer(BloomFilter.Version version, boolean longs) {
    this.version = version;
    this.longs = longs;
  }

  /** V1 or V2, for keys of bytes; V1-long or V2-long. */
  static Peer of(String variant) {
    switch (variant) {
      case "V1": return new SparkPeer(BloomFilter.Version.V1, false);
      case "V2": return new SparkPeer(BloomFilter.Version.V2, false);
      case "V1-long": return new SparkPeer(BloomFilter.Version.V1, true);
      case "V2-long": return new SparkPeer(BloomFilter.Version.V2, true);
      default: return null;
    }
  }

  @Override
  public void write(long n, double fpr, List<byte[]> keys, OutputStream out) throws Exception {
    BloomFilter f = BloomFilter.create(version, n, BloomFilter.optimalNumOfBits(n, fpr), 0);
    for (byte[] key : keys) {
      if (longs) {
        f.putLong(Peer.longOf(key));
      } else {
        f.putBinary(key);
      }
    }
    f.writeTo(out);
  }

  @Override
  public Filter open(InputStream in) throws Exception {
    BloomFilter f = BloomFilter.readFrom(in);
    return key -> longs ? f.mightContainLong(Peer.longOf(key)) : f.mightContainBinary(key);
  }
}
