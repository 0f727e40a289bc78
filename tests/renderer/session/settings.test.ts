import { expect, test } from 'vitest';
import { SettingsState } from '../../../renderer/session/settings.svelte.ts';
import type { Settings, UpdateSettingsBody } from '../../../shared/api/settings.ts';
import { DEFAULT_SETTINGS } from '../../../shared/default-settings.ts';

interface Call {
  change: UpdateSettingsBody;
  answer: (settings: Settings) => void;
  refuse: () => void;
}

/** A service that answers when told to. */
function start(): { state: SettingsState; calls: Call[]; shown: string[]; kept: { now: Settings } } {
  const calls: Call[] = [];
  const shown: string[] = [];
  const kept = { now: DEFAULT_SETTINGS };
  const state = new SettingsState(
    {
      findSettings: () => Promise.resolve(kept.now),
      updateSettings: (change) =>
        new Promise((answer, reject) => {
          calls.push({ change, answer, refuse: () => reject(new Error('refused')) });
        }),
    },
    ({ theme }) => shown.push(theme),
  );
  return { state, calls, shown, kept };
}

test('a change shows at once, and stays once it is kept', async () => {
  const { state, calls, shown } = start();
  const saving = state.update({ theme: 'dark' });
  expect([state.current.theme, shown.at(-1)]).toEqual(['dark', 'dark']);
  calls[0]?.answer({ ...DEFAULT_SETTINGS, theme: 'dark' });
  await saving;
  expect(state.current.theme).toBe('dark');
});

test('a refused change is taken back, and others are not', async () => {
  const { state, calls, shown } = start();
  const first = state.update({ theme: 'dark' });
  const second = state.update({ wrapCode: true });
  calls[1]?.answer({ ...DEFAULT_SETTINGS, wrapCode: true });
  await second;
  expect([state.current.theme, state.current.wrapCode]).toEqual(['dark', true]);
  calls[0]?.refuse();
  await expect(first).rejects.toThrow('refused');
  expect([state.current.theme, state.current.wrapCode, shown.at(-1)]).toEqual(['system', true, 'system']);
});

test('an answer from before a change does not take it back', async () => {
  const { state, calls } = start();
  const refreshing = state.refresh();
  const saving = state.update({ textSize: 'large' });
  await refreshing;
  expect(state.current.textSize).toBe('large');
  calls[0]?.answer({ ...DEFAULT_SETTINGS, textSize: 'large' });
  await saving;
  expect(state.current.textSize).toBe('large');
});

test('what another window has set is shown when it is asked for', async () => {
  const { state, kept, shown } = start();
  expect(shown).toEqual([]);
  kept.now = { ...DEFAULT_SETTINGS, theme: 'light' };
  await state.refresh();
  expect([state.loaded, state.current.theme, shown]).toEqual([true, 'light', ['light']]);
});
