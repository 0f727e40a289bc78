import { describe, expect, it } from 'vitest';
import { startConversation } from '../../../../support/converse.ts';

describe('sums of everyday life', () => {
  it.each([
    ['15% tip on 84.50', '**12.675**'],
    ['how much is a 15% tip on 40 euros?', '**€6**'],
    ['total of 80 with 10% tip', '80 + 10% = **88**'],
    ['tip 18% on a $62 bill split 3 ways', '(62 + 18%) / 3 ≈ **$24.39**'],
    ['split $96.40 four ways with 20% tip', '**$28.92**'],
    ['20% tip on $50 bill for 4 people', '**$15**'],
    ['price after 25% discount on 80', '**60**'],
    ['how much is 80 with 25% off', '**60**'],
    ['25% discount on 80 and 10% off 50', '**60**\n\n50 − 10% = **45**'],
    ['net of 119 with 19% vat', '**100.00**'],
    ['price without 20% vat of 120', '**100.00**'],
    ['add 20% vat to 50', '**60**'],
    ['compound interest on 1000 at 5% for 10 years', '**628.89**'],
    ['compound interest on 1000 at 5% for 10 years compounded monthly', '**647.01**'],
    ['how much is 1000 worth in 10 years at 5% compounded yearly?', '**1,628.89**'],
    ['monthly payment on a 20000 loan at 6% over 5 years', '**386.66**'],
    ['monthly payment on a 20000 loan at 6% over 60 months', '**386.66**'],
    ['1200 a month is how much per year?', '**14,400**'],
    ['60000 per year per month', '**5,000**'],
    ['500 a week per year', '**26,000**'],
    ['I earn 3200 a month, how much per year?', '**38,400**'],
    ['from 80 to 100, what percent increase', '**25%**'],
    ['by how many percent did it fall from 50 to 40', '**−20%**'],
    ['whats 7/8 as a percentage', '**87.5%**'],
    ['recipe for 4 needs 300 g flour, how much for 6', '**450**'],
    ['scale 2 cups of rice for 4 people to 10 people', '**5**'],
  ])('%s', async (message, told) => {
    const { tools, text } = await startConversation().say(message);
    expect(new Set(tools)).toEqual(new Set(['calculate']));
    expect(text).toContain(told);
  });

  it.each([
    '20% tip on 50 in the rain',
    '30% off 200 then another 10% off',
    'simple interest on 1000 at 5% for 3 years',
    'compound interest on 1000 for 10 years',
    'monthly payment on a 20000 loan at 6% over 5 years with a fee of 200',
    'discount of 15 on 80',
    'recipe for 4 needs 300 g flour and 2 eggs, how much for 6 without the eggs',
    'from 80 to 100 to 120, what percent increase',
    'net of 119 and 200 with 19% vat',
  ])('refuses what says more, or less: %s', async (message) => {
    expect((await startConversation().say(message)).tools).toEqual([]);
  });
});

describe('dates as people type them', () => {
  it.each([
    ['whats todays date', 'Today is **Friday, 20 November 2026**.'],
    ['next friday is what date', '**Friday, 27 November 2026**'],
    ['tomorrow is what day', '**Saturday, 21 November 2026**'],
  ])('%s', async (message, told) => {
    expect((await startConversation().say(message)).text).toContain(told);
  });
});
