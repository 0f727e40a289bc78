import { describe, expect, it } from 'vitest';
import { isWayland } from '../../electron/wayland.ts';

describe('windows', () => {
  it('are Wayland’s in such a session, unless another platform is chosen', () => {
    expect(isWayland({ XDG_SESSION_TYPE: 'wayland' }, '', 'linux')).toBe(true);
    expect(isWayland({ XDG_SESSION_TYPE: 'x11' }, '', 'linux')).toBe(false);
    expect(isWayland({}, '', 'linux')).toBe(false);
    expect(isWayland({ XDG_SESSION_TYPE: 'wayland' }, 'x11', 'linux')).toBe(false);
    expect(isWayland({ XDG_SESSION_TYPE: 'x11' }, 'wayland', 'linux')).toBe(true);
    expect(isWayland({ XDG_SESSION_TYPE: 'wayland' }, '', 'darwin')).toBe(false);
  });
});
