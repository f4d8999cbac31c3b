import { startEventStoreDb } from './event-store-db-double.ts';

// A double in a process of its own, for benchmarks and for tests that stop or kill one: main.ts [PORT]
const double = await startEventStoreDb({ port: Number(process.argv[2] ?? 0) });
process.once('SIGTERM', () => {
  void double.close().then(() => process.exit(0));
});
process.stdout.write(`${JSON.stringify({ msg: 'listening', url: double.url })}\n`);
