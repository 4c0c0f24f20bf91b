import type { Language } from '#schema/kit/refusal'

/** Each language by its own name, for those who cannot read the present one. */
export const languageNames: Record<Language, string> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
}
