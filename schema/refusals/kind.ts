import type { RefusalKind } from '../kit/refusal.ts'

/** A product code with its text in the three languages; `{names}` are filled in. */
export const kind = (code: number, zhCN: string, zhTW: string, enUS: string): RefusalKind => ({
  code,
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'en-US': enUS,
})
