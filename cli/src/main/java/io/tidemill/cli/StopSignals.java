package io.tidemill.cli;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What Ctrl-C and SIGTERM do: the first asks for a graceful stop, the second ends the process at
 * once with the exit code that a shell gives to the signal.
 *
 * <p>The JVM offers no other way to hear a signal without starting to shut down than {@code
 * sun.misc.Signal}, and no way to compile against it without a warning: hence the reflection.
 */
final class StopSignals {
  private static final int SHELL_SIGNAL_BASE = 128;

  private StopSignals() {}

  /**
   * From now on the first signal runs the action, on a thread of its own.
   *
   * @param stop starts a graceful stop and returns
   */
  static void onFirst(Runnable stop) {
    AtomicInteger signals = new AtomicInteger();
    handle("INT", signals, stop);
    handle("TERM", signals, stop);
  }

  private static void handle(String name, AtomicInteger signals, Runnable stop) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object signal = signalType.getConstructor(String.class).newInstance(name);
      int number = (int) signalType.getMethod("getNumber").invoke(signal);
      InvocationHandler handler =
          (proxy, method, arguments) -> {
            if (signals.incrementAndGet() > 1) {
              Runtime.getRuntime().halt(SHELL_SIGNAL_BASE + number);
            }
            stop.run();
            return null; // A handler returns nothing.
          };
      Object proxy =
          Proxy.newProxyInstance(
              StopSignals.class.getClassLoader(), new Class<?>[] {handlerType}, handler);
      signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, proxy);
    } catch (ReflectiveOperationException e) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "This JVM does not let signals be handled.", e)
          .with("signal", name);
    }
  }
}
