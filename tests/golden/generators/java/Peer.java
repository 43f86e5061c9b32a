import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One encoding of one library's filter. */
interface Peer {
  /** Makes a filter of the keys and writes it. */
  void write(long n, double fpr, List<byte[]> keys, OutputStream out) throws Exception;

  /** Reads a filter. */
  Filter open(InputStream in) throws Exception;

  /** A filter that can be asked. */
  interface Filter {
    boolean mightContain(byte[] key) throws Exception;
  }

  static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  static long longOf(byte[] key) {
    return ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  static int intOf(byte[] key) {
    return ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }
}
