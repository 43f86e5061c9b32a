import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Guava: what a key is, a funnel for it, and one of two strategies. */
final class GuavaPeer<T> implements Peer {
  private final Function<byte[], T> given;
  private final Funnel<? super T> funnel;
  private final String strategy;

  private GuavaPeer(Function<byte[], T> given, Funnel<? super T> funnel, String strategy) {
    this.given = given;
    this.funnel = funnel;
    this.strategy = strategy;
  }

  /** bytes, utf8, utf16, long or int; with "mitz32-" before it, of the older strategy. */
  static Peer of(String variant) {
    boolean old = variant.startsWith("mitz32-");
    String strategy = old ? "MURMUR128_MITZ_32" : "MURMUR128_MITZ_64";
    switch (old ? variant.substring(7) : variant) {
      case "bytes": return new GuavaPeer<byte[]>(key -> key, Funnels.byteArrayFunnel(), strategy);
      case "utf8": return new GuavaPeer<String>(Peer::text, Funnels.stringFunnel(StandardCharsets.UTF_8), strategy);
      case "utf16": return new GuavaPeer<String>(Peer::text, Funnels.unencodedCharsFunnel(), strategy);
      case "long": return new GuavaPeer<Long>(Peer::longOf, Funnels.longFunnel(), strategy);
      case "int": return new GuavaPeer<Integer>(Peer::intOf, Funnels.integerFunnel(), strategy);
      default: return null;
    }
  }

  // The library reads both strategies and makes the newer one; its tests make the older by this method, which is not
  // public.
  @SuppressWarnings("unchecked")
  private BloomFilter<T> make(long n, double fpr) throws Exception {
    if (strategy.endsWith("64")) return BloomFilter.create(funnel, n, fpr);
    Class<?> type = Class.forName("com.google.common.hash.BloomFilter$Strategy");
    Class<?> all = Class.forName("com.google.common.hash.BloomFilterStrategies");
    Method create = BloomFilter.class.getDeclaredMethod("create", Funnel.class, long.class, double.class, type);
    create.setAccessible(true);
    for (Object each : all.getEnumConstants()) {
      if (each.toString().equals(strategy)) return (BloomFilter<T>) create.invoke(null, funnel, n, fpr, each);
    }
    throw new IllegalStateException("no strategy " + strategy);
  }

  @Override
  public void write(long n, double fpr, List<byte[]> keys, OutputStream out) throws Exception {
    BloomFilter<T> f = make(n, fpr);
    for (byte[] key : keys) f.put(given.apply(key));
    f.writeTo(out);
  }

  @Override
  public Filter open(InputStream in) throws Exception {
    BloomFilter<T> f = BloomFilter.readFrom(in, funnel);
    return key -> f.mightContain(given.apply(key));
  }
}
