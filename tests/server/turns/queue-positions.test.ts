import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createQueuePositions } from '../../../server/turns/queue-positions.ts';

test('tells every ticket its exact place, whoever leaves the line', () => {
  const move = fc.oneof(
    { weight: 4, arbitrary: fc.constant('join' as const) },
    { weight: 2, arbitrary: fc.constant('comeUp' as const) },
    { weight: 2, arbitrary: fc.nat() },
  );
  fc.assert(
    fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
      const positions = createQueuePositions();
      const tickets: { ticket: number; isHere: boolean }[] = [];
      for (const what of moves) {
        const here = tickets.filter(({ isHere }) => isHere);
        const leaver = typeof what === 'number' ? here[what % Math.max(1, here.length)] : undefined;
        if (what === 'join') tickets.push({ ticket: positions.join(), isHere: true });
        else if (what === 'comeUp') {
          const first = tickets.shift();
          if (first !== undefined) positions.comeUp(first.ticket);
        } else if (leaver !== undefined) {
          leaver.isHere = false;
          positions.leave(leaver.ticket);
        }
        const still = tickets.filter(({ isHere }) => isHere);
        expect(positions.length).toBe(still.length);
        expect(still.map(({ ticket }) => positions.position(ticket))).toEqual(
          still.map((_one, index) => index + 1),
        );
      }
    }),
  );
});
