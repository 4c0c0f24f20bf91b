import { language } from '../session.ts'

/** Sentences after each other: in Chinese nothing stands between them. What is empty is left out. */
export const sentences = (parts: readonly (string | null)[]): string =>
  parts.filter(Boolean).join(language() === 'en-US' ? ' ' : '')
