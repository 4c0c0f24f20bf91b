import { describe, expect, it } from 'vitest'
import { foreign, rawKeys } from './texts.ts'

describe('what no user should read', () => {
  it('is a text key with its file, or its bare path, anywhere', () => {
    const raw = ['upgrade:field.name', 'device-x:a', 'Done. step.created', '9 台。step.done3 台']
    expect(rawKeys([...raw, 'field.nameless', 'step'])).toEqual(raw)
  })

  it('is not an address, a version, a file or a sentence', () => {
    expect(
      rawKeys(['http://localhost:8080', '1.4.2 → 1.5.0', 'R200-1.5.0.tar.gz', 'It took 3 sec.', 'v1.x']),
    ).toEqual([])
  })

  it('is Chinese in English pages, and mainland vocabulary in Taiwanese ones', () => {
    expect(foreign(['Devices', '设备', '简体中文'], 'en-US')).toEqual(['设备'])
    expect(foreign(['裝置', '登錄', '登入'], 'zh-TW')).toEqual(['登錄'])
    expect(foreign(['设备'], 'zh-CN')).toEqual([])
  })
})
