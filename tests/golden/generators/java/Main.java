import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Filters of Java libraries, written and asked by the libraries themselves. ../README.md has the contract:
 *
 * <pre>
 *   write FORMAT VARIANT N FPR OUT   keys on standard input, one a line, in hexadecimal
 *   ask FORMAT VARIANT FILE          prints 1 or 0 a line
 * </pre>
 */
public final class Main {
  private static Peer peer(String format, String variant) {
    Peer found = null;
    switch (format) {
      case "datasketches": found = DataSketchesPeer.of(variant); break;
      case "guava": found = GuavaPeer.of(variant); break;
      case "hadoop": found = HadoopPeer.of(variant); break;
      case "spark": found = SparkPeer.of(variant); break;
      default: break;
    }
    if (found == null) throw new IllegalArgumentException("no " + format + " " + variant + " here");
    return found;
  }

  private static List<byte[]> keys() throws Exception {
    List<byte[]> all = new ArrayList<>();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      byte[] key = new byte[line.length() / 2];
      for (int i = 0; i < key.length; ++i) key[i] = (byte) Integer.parseInt(line.substring(2 * i, 2 * i + 2), 16);
      all.add(key);
    }
    return all;
  }

  private static void run(String[] args) throws Exception {
    if (args.length == 6 && args[0].equals("write")) {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(Path.of(args[5])))) {
        peer(args[1], args[2]).write(Long.parseLong(args[3]), Double.parseDouble(args[4]), keys(), out);
      }
    } else if (args.length == 4 && args[0].equals("ask")) {
      StringBuilder answers = new StringBuilder();
      try (InputStream in = new BufferedInputStream(Files.newInputStream(Path.of(args[3])))) {
        Peer.Filter filter = peer(args[1], args[2]).open(in);
        for (byte[] key : keys()) answers.append(filter.mightContain(key) ? "1\n" : "0\n");
      }
      System.out.print(answers);
      System.out.flush();
    } else {
      throw new IllegalArgumentException("usage: write FORMAT VARIANT N FPR OUT | ask FORMAT VARIANT FILE");
    }
  }

  public static void main(String[] args) {
    try {
      run(args);
    } catch (Exception | LinkageError error) {
      System.err.println("java: " + error);
      System.exit(1);
    }
  }
}
