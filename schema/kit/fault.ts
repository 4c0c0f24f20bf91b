/** What is wrong with a value, and how that is said to people: the same words in a form and in a refusal. */
import type { Language } from './refusal.ts'

type Texts = Readonly<Record<Language, string>>
const texts = (cn: string, tw: string, en: string): Texts => ({ 'zh-CN': cn, 'zh-TW': tw, 'en-US': en })

const reasons = {
  required: texts('不能为空', '不能空白', 'is required'),
  whole: texts('必须是整数', '必須是整數', 'must be a whole number'),
  number: texts('必须是数字', '必須是數字', 'must be a number'),
  format: texts('格式不正确', '格式不正確', 'has a wrong format'),
  shorter: texts('至少 {n} 个字符', '至少 {n} 個字元', 'must have at least {n} characters'),
  longer: texts('最多 {n} 个字符', '最多 {n} 個字元', 'must have at most {n} characters'),
  fewer: texts('至少 {n} 项', '至少 {n} 項', 'must have at least {n} entries'),
  more: texts('最多 {n} 项', '最多 {n} 項', 'must have at most {n} entries'),
  less: texts('不能小于 {n}', '不能小於 {n}', 'must not be less than {n}'),
  greater: texts('不能大于 {n}', '不能大於 {n}', 'must not be greater than {n}'),
  above: texts('必须大于 {n}', '必須大於 {n}', 'must be greater than {n}'),
  below: texts('必须小于 {n}', '必須小於 {n}', 'must be less than {n}'),
  unknown: texts('是未知字段', '是未知欄位', 'is not known'),
  deep: texts('最多嵌套 {n} 层', '最多巢狀 {n} 層', 'must be nested at most {n} levels deep'),
  fields: texts('最多 {n} 个字段', '最多 {n} 個欄位', 'must have at most {n} fields'),
}
export type Reason = keyof typeof reasons

/** `n` is the bound that was crossed, where there is one. */
export type Fault = { readonly reason: Reason; readonly n?: number }

/** "must not be greater than 65535", in the user's language. */
export const faultText = ({ reason, n }: Fault, language: Language): string =>
  reasons[reason][language].replace('{n}', String(n ?? ''))

/** With the name of the field before it, as the refusal `invalid` says it. */
export const faultSentence = (label: string, fault: Fault, language: Language): string =>
  `${label}${language === 'en-US' ? ': ' : '：'}${faultText(fault, language)}`
