import { expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { addGroup } from '#schema/group/group'
import { isCall } from '#schema/kit/call'
import { languages } from '#schema/kit/refusal'
import { addReportSchedule } from '#schema/report/report-schedule'
import { fieldLabel } from './field-label.ts'

const calls = await gatherDeclared(isCall)

it('calls a field as its form does, by its declared label or that of its word', () => {
  const called = (call: (typeof calls)[number], path: string) =>
    languages.map((language) => fieldLabel(call, path, language))
  expect(called(addGroup, 'groupName')).toEqual(['分组名称', '群組名稱', 'Group name'])
  expect(called(addReportSchedule, 'recipients.0')).toEqual(['收件人', '收件人', 'Recipients'])
})

it('leaves the name of a field that no form asks for', () => {
  for (const call of calls) expect(fieldLabel(call, 'noSuchField', 'en-US')).toBe('noSuchField')
})
