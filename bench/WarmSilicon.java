import ch.qos.logback.classic.Logger;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import scala.jdk.javaapi.CollectionConverters;
import viper.silicon.SiliconFrontend;
import viper.silver.logger.SilentLogger;
import viper.silver.reporter.NoopReporter$;
import viper.silver.verifier.AbstractError;
import viper.silver.verifier.Failure;
import viper.silver.verifier.VerificationResult;

/**
 * Verifies programs with Silicon in one Java process, which stays warm from one to the next.
 *
 * A line of input holds the command line for one program, separated by tabs; the line of output
 * holds seconds, a verdict, and the id of each error with its place. Each program gets a front end
 * of its own, which starts its own solver processes.
 */
public final class WarmSilicon {
  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    Logger logger = SilentLogger.apply().get();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      long start = System.nanoTime();
      String verdict = verify(line.split("\t"), logger);
      answers.println((System.nanoTime() - start) / 1e9 + "\t" + verdict);
      answers.flush();
    }
  }

  private static String verify(String[] options, Logger logger) {
    SiliconFrontend frontend = new SiliconFrontend(NoopReporter$.MODULE$, logger);
    try {
      frontend.execute(
          CollectionConverters.asScala(Arrays.asList(options)).toSeq(), scala.Option.empty());
      return describe(frontend.result());
    } catch (Throwable problem) {
      return "crashed\t" + problem.toString().replaceAll("\\s+", " ");
    }
  }

  private static String describe(VerificationResult result) {
    if (!(result instanceof Failure)) return "verified\t";
    StringBuilder found = new StringBuilder("refuted");
    for (AbstractError error : CollectionConverters.asJava(((Failure) result).errors())) {
      String place = error.pos().toString().replaceAll("\\s+", "_");
      found.append('\t').append(error.fullId()).append('@').append(place);
    }
    return found.toString();
  }
}
