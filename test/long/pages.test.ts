import { onEveryPage } from '../console/on-every-page.ts';
import { expectAccessible } from '../support/browser/axe.ts';
import { expectNoSidewaysScroll } from '../support/browser/layout.ts';

describe('the pages of the console in every theme', () => {
  onEveryPage(({ visitor }) => {
    it('is accessible in the dark', async () => {
      const { page } = visitor();
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'light' });
    });

    it('prints in the light, and no wider than the paper', async () => {
      const { page } = visitor();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    });
  });
});
