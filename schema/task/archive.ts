/** Why a package's archive is refused; the texts fill `{reason}` of the refusal packageUnsafe. */
import type { Language } from '../kit/refusal.ts'

const reason = (zhCN: string, zhTW: string, enUS: string): Record<Language, string> => ({
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'en-US': enUS,
})

export const unsafeReasons = {
  path: reason('路径指向目录之外', '路徑指向目錄之外', 'a path leads out of the tree'),
  link: reason('链接指向目录之外', '連結指向目錄之外', 'a link leads out of the tree'),
  throughLink: reason('文件经由链接写入', '檔案經由連結寫入', 'a file is written through a link'),
  special: reason(
    '含有设备文件、管道或未知类型',
    '含有裝置檔案、管道或未知類型',
    'it holds a device, a pipe or something unknown',
  ),
  name: reason(
    '文件名过长或含控制字符',
    '檔名過長或含控制字元',
    'a name is too long or holds control characters',
  ),
  entries: reason('文件数量过多', '檔案數量過多', 'it has too many entries'),
  size: reason('解压后过大', '解壓後過大', 'it unpacks to too much'),
} as const satisfies Record<string, Record<Language, string>>
export type UnsafeReason = keyof typeof unsafeReasons
