// The health check of the image, which has no curl: whether a delivery could be accepted now (GET /readyz).
const port = process.env.PORT ?? '8080';
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
