import { describe, expect, it } from 'vitest';
import { startConversation } from '../../../../support/converse.ts';

describe('recipes for others', () => {
  it.each([
    [
      'A recipe for 4 needs 300 g pasta, 2 eggs and 120 ml cream. How much for 6?',
      '- **450** g pasta\n- **3** eggs\n- **180** ml cream',
    ],
    ['scale this recipe from 12 cookies to 30: 200 g butter, 1 egg', '- **500** g butter\n- **2.5** egg'],
    [
      'scale this recipe from 4 to 2:\n1 1/2 cups milk\n- ½ tsp salt',
      '- **0.75** cups milk\n- **0.25** tsp salt',
    ],
    ['double this recipe: 250g flour, 3/4 cup sugar', '- **500**g flour\n- **1.5** cup sugar'],
  ])('%j', async (message, told) => {
    expect((await startConversation().say(message)).text).toBe(told);
  });

  it.each([
    'scale this recipe from 4 to 8: 200 g butter, a pinch of salt',
    'scale this recipe from 4 to 8: 200 g butter, 1 egg but only the butter',
    'scale this recipe from 0 to 8: 200 g butter, 1 egg',
  ])('an amount that can’t be told: %s', async (message) => {
    expect((await startConversation().say(message)).text).not.toContain('**');
  });
});
