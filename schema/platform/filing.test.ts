import { describe, expect, it } from 'vitest'
import { readFilings } from './filing.ts'

describe('[§2 Layout] filing links', () => {
  it('are texts with URLs, in their order; an empty setting is none', () => {
    expect(readFilings('')).toEqual([])
    const both =
      '京ICP备12345678号=https://beian.miit.gov.cn/, 京公网安备11010102000001号=https://beian.mps.gov.cn/#/query/webSearch?code=1'
    expect(readFilings(both)).toEqual([
      { text: '京ICP备12345678号', url: 'https://beian.miit.gov.cn/' },
      { text: '京公网安备11010102000001号', url: 'https://beian.mps.gov.cn/#/query/webSearch?code=1' },
    ])
  })

  it.each([
    'no address',
    '=https://beian.miit.gov.cn/',
    'script=javascript:alert(1)',
    'broken=https://',
    `${'x'.repeat(65)}=https://a.example/`,
    Array(6).fill('a=https://a.example/').join(','),
  ])('is invalid: %s', (setting) => {
    expect(readFilings(setting)).toBeNull()
  })
})
