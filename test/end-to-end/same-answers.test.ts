import { sameAnswers } from './same-answers.ts';

describe('the same deliveries', () => {
  sameAnswers(3);
});
