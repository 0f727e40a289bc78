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
    ['a $60 jacket at 25% off', '**$45**'],
    ['1000 at 4% for 10 years compound', '**1,480.24**'],
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
    ['how much should i tip on a 64 dollar dinner at 20 percent', '**$12.80**'],
    ['we’re 4 people and the bill was 186.40, what does everyone pay', '**46.6**'],
    ['jacket was 120 now 90, how much percent off is that', '**−25%**'],
    ['now 90, was 120: what percent change?', '**−25%**'],
    ['60 is 15% of what', '**400**'],
    ['how much vat is in 119 euros at 19%', '**€19**'],
    ['vat on 500 at 20%', '**100**'],
    ['500 incl 20% vat, whats the net', '**416.67**'],
    ['how much do i save with 40% off 85', '**34**'],
    ['gross for 84 net at 21%', '**101.64**'],
    ['119 gross, how much net at 19%', '**100.00**'],
    ['simple interest on 1000 at 5% for 3 years', '**150.00**'],
    ['if i put 5000 in at 4% compounded yearly for 10 years what do i have', '**7,401.22**'],
    ['i spend 4.50 a day on coffee, how much is that per year', '**1,642.5**'],
    ['round 1847 to the nearest hundred', '**1,800**'],
    ['divide 250 by 6, rounded to the cent', '**41.67**'],
    ['sum 12.5 + 7.25 + 30', '**49.75**'],
  ])('%s', async (message, told) => {
    const { tools, text } = await startConversation().say(message);
    expect(new Set(tools)).toEqual(new Set(['calculate']));
    expect(text).toContain(told);
  });

  it.each([
    '20% tip on 50 in the rain',
    '30% off 200 then another 10% off',
    'interest on 1000 at 5% for 3 years',
    '500 incl 20% vat',
    'split 100 between 4 people but one pays double',
    'monthly payment on 10000 at 5% over 2 years with a 500 fee up front',
    'how long to drive 240 miles at 60 km/h',
    'how long to drive 300 km at 100 km/h with a 30 minute break',
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

  it.each([
    ['tip of 10% on 80', 'make it 15%', '**12**'],
    ['net of 119 at 19% vat', 'and at 7%?', '**111.21**'],
    ['split 90 between 3', 'and 4 people?', '**22.5**'],
    ['15% of 240', 'same for 20%', '**48**'],
  ])('%s; %s', async (first, then, told) => {
    const chat = startConversation();
    await chat.say(first);
    expect((await chat.say(then)).text).toContain(told);
  });
});
