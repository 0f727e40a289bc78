import { expect, test } from 'vitest';
import { explainProgram } from '../../../server/mcp/explain-fault.ts';

test('a program that Windows’ shell did not find is said to be missing, in words of Parley’s own', () => {
  const quotation =
    "'npx' is not recognized as an internal or external command, operable program or batch file.";
  const fault = explainProgram(
    new Error('Connection closed'),
    { transport: 'stdio', command: 'npx', args: [], url: null },
    { ending: { code: 9009, signal: null }, quotation, hasSpoken: false, hasOpened: false },
  );
  expect(fault.finding).toBe('program_not_found');
  expect(fault.message).toMatch(/^“npx”, or a program that it starts, was not found; install it/);
});
