import { expect, test } from 'vitest';
import { smallTalk } from '../../../../../server/models/offline/skills/small-talk.ts';
import { asRequest } from '../../../../support/skill-request.ts';

const answer = (text: string) => smallTalk(asRequest(text), { hasTools: true, summary: null });

test.each([
  ['thanks!', 'You’re welcome.'],
  ['Thank you so much', 'You’re welcome.'],
  ['ok, thanks', 'You’re welcome.'],
  ['bye', 'Goodbye.'],
  ['How are you?', 'working'],
  ['who are you?', 'offline assistant'],
  ['what is your name', 'offline assistant'],
  ['Are you ChatGPT?', 'not a large language model'],
  ['which model are you using?', 'not a large language model'],
  ['are you online?', 'I’m offline'],
  ['do you have internet access?', 'I’m offline'],
  ['where is my data stored?', 'on this computer only'],
  ['how do I connect a model?', 'connect a language model in the settings'],
  ['search the web for cats', 'needs the internet'],
  ['what’s the weather in Paris', 'needs the internet'],
  ['remind me to call Bob at 5', 'can’t remind'],
  ['I want to die', 'emergency number'],
  ['i’m going to kill myself', 'emergency number'],
  ['I feel suicidal', 'emergency number'],
  ['My father isn’t breathing!', 'emergency number'],
  ['our kitchen is on fire', 'emergency number'],
  ['call an ambulance', 'emergency number'],
  ['set a timer for 5 minutes', 'can’t remind'],
  ['never mind', 'All right.'],
  ['cool', 'next'],
])('%j is answered with %j', (text, words) => {
  expect(answer(text)).toContain(words);
});

test.each([
  'thanks to him we won',
  'who are you going to call',
  'what is 2 + 2',
  'no, the other one',
  'test this regex',
  'remind me what I said about Tokyo',
  'I want to know how many died',
  'good question, what is 12 * 7?',
  'ok what is 5 + 5',
  'nothing is certain',
])('%j is left alone', (text) => {
  expect(answer(text)).toBeNull();
});
