import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQuitParts } from '../support/quit-parts.ts';

describe('the way out', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends the process only after the service has stopped', async () => {
    const { quit, exited, stopped } = createQuitParts();
    quit.quit();
    expect(quit.isQuitting()).toBe(true);
    await vi.advanceTimersByTimeAsync(4_399);
    expect(exited).toEqual([]);
    stopped.resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(exited).toEqual([0]);
  });

  it('is not held up for ever by a service that doesn’t stop', async () => {
    const { quit, exited } = createQuitParts();
    quit.quit();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(exited).toEqual([0]);
  });

  it('stops the service once, however often it is asked for', async () => {
    const { quit, exited, stops, stopped, app } = createQuitParts();
    quit.quit();
    quit.quit();
    app.emit('will-quit', { preventDefault: () => undefined });
    stopped.resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(stops()).toBe(1);
    expect(exited.length).toBeGreaterThan(0);
  });

  it('ends with the first exit code that says that something failed', async () => {
    const { quit, exited, stopped } = createQuitParts();
    quit.quit(3);
    quit.quit();
    stopped.resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(exited[0]).toBe(3);
  });

  it('is gone as well when stopping fails', async () => {
    const { quit, exited, stopped, lines } = createQuitParts();
    quit.quit();
    stopped.reject(new Error('no disk'));
    await vi.advanceTimersByTimeAsync(0);
    expect(exited).toEqual([0]);
    expect(lines.join()).toContain('no disk');
  });

  it('begins when the system shuts down, which is asked to wait', () => {
    const { quit, powerMonitor } = createQuitParts();
    const preventDefault = vi.fn();
    powerMonitor.emit('shutdown', { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(quit.isQuitting()).toBe(true);
  });

  it('lets windows close from the moment on that the app is told to quit', () => {
    const { quit, app } = createQuitParts();
    expect(quit.isQuitting()).toBe(false);
    app.emit('before-quit', new EventEmitter());
    expect(quit.isQuitting()).toBe(true);
  });

  it('does not wait for a window that doesn’t close, as one does not whose page hangs', async () => {
    const { quit, exited, stopped, stops, windows } = createQuitParts();
    windows.close = false;
    stopped.resolve(undefined);
    quit.quit();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(exited).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(stops()).toBe(1);
    expect(exited).toEqual([0]);
  });

  it('is not taken when the person stays, and can be taken later', async () => {
    const { quit, exited, stopped, stops, windows } = createQuitParts();
    windows.close = false;
    quit.quit();
    quit.stay();
    expect(quit.isQuitting()).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stops()).toBe(0);
    windows.close = true;
    stopped.resolve(undefined);
    quit.quit();
    await vi.advanceTimersByTimeAsync(0);
    expect(exited).toEqual([0]);
  });

  it('is final when the system or a fault wants it', () => {
    const system = createQuitParts();
    system.windows.close = false;
    system.quit.quit();
    expect(system.quit.isFinal()).toBe(false);
    system.powerMonitor.emit('shutdown', { preventDefault: () => undefined });
    system.quit.stay();
    expect(system.quit.isFinal()).toBe(true);
    expect(system.quit.isQuitting()).toBe(true);
    const fault = createQuitParts();
    fault.quit.quit(1);
    expect(fault.quit.isFinal()).toBe(true);
  });

  it('does its last thing once', async () => {
    const own = createQuitParts();
    own.stopped.resolve(undefined);
    own.quit.quit();
    own.quit.quit();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(own.lastThings()).toBe(1);
  });

  it('listens for signals only once Electron is ready, which takes those from before for itself', async () => {
    const { quit, signals, becomeReady } = createQuitParts();
    expect(signals.eventNames()).toEqual([]);
    await becomeReady();
    expect(signals.eventNames()).toEqual([
      ...['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGBREAK'],
    ]);
    signals.emit('SIGUSR2');
    expect(quit.isFinal()).toBe(true);
  });

  it.each(['SIGTERM', 'SIGHUP'])(
    'outlasts a %s to the whole process group, which ends Chromium’s own processes',
    async (signal) => {
      const { signals, becomeReady, switches } = createQuitParts();
      await becomeReady();
      expect([...switches]).toEqual([]);
      signals.emit(signal);
      expect([...switches]).toEqual(['disable-gpu-process-crash-limit']);
    },
  );

  it('outlasts one that Electron takes for itself while it starts; called off, Chromium’s limit is back', () => {
    const { app, quit, switches } = createQuitParts();
    app.emit('before-quit', new EventEmitter());
    expect([...switches]).toEqual(['disable-gpu-process-crash-limit']);
    quit.stay();
    expect([...switches]).toEqual([]);
  });

  it('takes less than five seconds after a signal, even when neither windows nor the service end', async () => {
    const { signals, becomeReady, exited, stops, windows } = createQuitParts();
    await becomeReady();
    windows.close = false;
    signals.emit('SIGINT');
    expect(stops()).toBe(1);
    signals.emit('SIGINT');
    await vi.advanceTimersByTimeAsync(4_399);
    expect(exited).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(exited).toEqual([0]);
    expect(stops()).toBe(1);
  });
});
