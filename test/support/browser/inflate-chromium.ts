/** Unpacks the browser into its TMPDIR, which the package knows no other name for. */
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
