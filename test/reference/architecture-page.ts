import { foldersDrawing } from './folders-drawing.ts';

const BLOCK = /(<!-- folders -->\n).*?(<!-- \/folders -->)/s;

/** The page about the architecture with the drawing of the folders as they are now. */
export const architecturePage = (page: string): string =>
  page.replace(BLOCK, (_, begin: string, end: string) => `${begin}\n${foldersDrawing()}\n\n${end}`);
