import type { Language } from '#schema/kit/refusal'

/** Each language in its own language, for users who cannot read the current one. */
export const languageNames: Record<Language, string> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
}
