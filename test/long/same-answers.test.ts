import { sameAnswers } from '../end-to-end/same-answers.ts';

describe('the same deliveries, of more orders', () => {
  sameAnswers(24);
});
