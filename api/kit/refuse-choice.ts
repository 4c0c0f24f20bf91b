import { sayIn } from '#infra/say'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import type { CallContext } from './handler.ts'

/** A name that only the handler can check: the refusal says which ones are accepted. @throws Refusal invalid */
export function refuseChoice(
  { language }: Pick<CallContext, 'language'>,
  field: string,
  accepted: Iterable<string>,
): never {
  const say = sayIn(language)
  const names = [...accepted].join(say('kit:comma'))
  return refuse(
    sessionRefusals.invalid,
    { field, reason: names === '' ? say('kit:fault.choice') : say('transport:accepted', { names }) },
    field,
  )
}
