import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/** Hadoop: three filters, two hash functions. Sizes are left to the user; here they are those of its BloomMapFile. */
final class HadoopPeer implements Peer {
  private static final int PROBES = 5;

  private interface Maker {
    org.apache.hadoop.util.bloom.Filter make(int bits, int probes, int hash, int n);
  }

  private final Supplier<org.apache.hadoop.util.bloom.Filter> empty;
  private final Maker maker;
  private final int hash;

  private HadoopPeer(Supplier<org.apache.hadoop.util.bloom.Filter> empty, Maker maker, int hash) {
    this.empty = empty;
    this.maker = maker;
    this.hash = hash;
  }

  /** bloom, counting or dynamic, with Murmur; with "-jenkins" behind it, with Jenkins. */
  static Peer of(String variant) {
    int hash = variant.endsWith("-jenkins") ? Hash.JENKINS_HASH : Hash.MURMUR_HASH;
    switch (variant.replaceFirst("-jenkins$", "")) {
      case "bloom":
        return new HadoopPeer(BloomFilter::new, (bits, probes, h, n) -> new BloomFilter(bits, probes, h), hash);
      case "counting":
        return new HadoopPeer(
            CountingBloomFilter::new, (bits, probes, h, n) -> new CountingBloomFilter(bits, probes, h), hash);
      case "dynamic":
        return new HadoopPeer(
            DynamicBloomFilter::new, (bits, probes, h, n) -> new DynamicBloomFilter(bits, probes, h, n), hash);
      default: return null;
    }
  }

  @Override
  public void write(long n, double fpr, List<byte[]> keys, OutputStream out) throws Exception {
    int bits = (int) Math.ceil(-PROBES * n / Math.log(1 - Math.pow((float) fpr, 1.0 / PROBES)));
    org.apache.hadoop.util.bloom.Filter f = maker.make(bits, PROBES, hash, (int) n);
    for (byte[] key : keys) f.add(new Key(key));
    f.write(new DataOutputStream(out));
  }

  @Override
  public Peer.Filter open(InputStream in) throws Exception {
    org.apache.hadoop.util.bloom.Filter f = empty.get();
    f.readFields(new DataInputStream(in));
    return key -> f.membershipTest(new Key(key));
  }
}
