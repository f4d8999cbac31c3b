import type { ProjectorNews } from './projector-message.ts';

/**
 * Posts that a generation was removed or is damaged once, until one serves again: several who look at it find the same, each in
 * its own way, and it stays what is registered until another is built, which may take many tries. A number comes again where all
 * files were removed.
 */
export const toldOnce = (post: (news: ProjectorNews) => void): ((news: ProjectorNews) => void) => {
  let told: number | null = null;
  return (news) => {
    if (news._tag === 'Serving') told = null;
    if (news._tag === 'Removed') {
      if (news.generation === told) return;
      told = news.generation;
    }
    post(news);
  };
};
