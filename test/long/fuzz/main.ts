// node --expose-gc test/long/fuzz/main.ts [INPUTS] [SEED]: fuzzes every decoder, and says what came of it.
import { fuzzDecoders } from './fuzz-decoders.ts';

const [inputs = '200000', seed = '1'] = process.argv.slice(2);
const figures = fuzzDecoders(Number(inputs), Number(seed), (done) => process.stderr.write(`${done}\n`));
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
process.exitCode = figures.thrown.length === 0 ? 0 : 1;
