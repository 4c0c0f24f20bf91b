import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'

const { app } = await apiTest({ FILING_LINKS: '京ICP备12345678号=https://beian.miit.gov.cn/' })

it('[§2 Layout] filing links are returned without a login', async () => {
  const answer = await app.inject({ method: 'GET', url: '/api/config/getFilings' })
  expect(answer.json()).toMatchObject({
    code: 0,
    data: { list: [{ text: '京ICP备12345678号', url: 'https://beian.miit.gov.cn/' }] },
  })
})
