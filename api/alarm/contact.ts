import { eq, sql } from 'drizzle-orm'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import {
  contactObject,
  createContact,
  deleteContact,
  getContactList,
  updateContact,
} from '#schema/alarm/contact'
import { refuse } from '#schema/kit/refusal'
import { alarmRuleContacts, alarmRules } from '#schema/tables/alarm-rule'
import { contacts } from '#schema/tables/contact'
import { customers } from '#schema/tables/customer'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { changeableContact, chosenEvents, ruleNamed } from './alarm-scope.ts'

export const storedContact = stored({
  object: contactObject,
  table: contacts,
  id: contacts.id,
  name: contacts.name,
  customerId: contacts.customerId,
  seen: (walls) => walls.contacts,
  row: (actor) => ({ id: contacts.id, changeable: changeableContact(actor) }),
  parts: {
    main: {
      table: contacts,
      id: contacts.id,
      fields: {
        name: contacts.name,
        phone: contacts.phone,
        email: contacts.email,
        wechat: contacts.wechat,
        remark: contacts.remark,
        events: contacts.events,
      },
    },
  },
})

export const getContactListHandler = listOf(getContactList, 'contacts', ({ db, actor }) => ({
  table: contacts,
  rows: db
    .select({
      id: contacts.id,
      customerId: contacts.customerId,
      customerName: customers.name,
      name: contacts.name,
      phone: contacts.phone,
      email: contacts.email,
      wechat: contacts.wechat,
      remark: contacts.remark,
      events: contacts.events,
      changeable: changeableContact(actor),
      ruleCount: sql<number>`(select count(*)::int from ${alarmRuleContacts} where ${alarmRuleContacts.contactId} = ${contacts.id})`,
      createdAt: contacts.createdAt,
      edition: editionOf(storedContact.parts.main),
    })
    .from(contacts)
    .innerJoin(customers, eq(customers.id, contacts.customerId)),
}))

/** [§8] The unique indexes decide, and determine which field is taken. */
const refuseTaken = whenTaken({
  contacts_phone: () => refuse(alarmRefusals.contactPhoneTaken, {}, 'phone'),
  contacts_email: () => refuse(alarmRefusals.contactEmailTaken, {}, 'email'),
})

const fieldsOf = (body: {
  name: string
  phone: string
  email: string
  wechat?: string | undefined
  remark?: string | undefined
}) => ({
  name: body.name,
  phone: body.phone,
  email: body.email,
  wechat: body.wechat ?? null,
  remark: body.remark ?? null,
})

export const createContactHandler = handler(createContact, async (ctx, body) => {
  const customerId = ownerOf(ctx)
  const fields = { ...fieldsOf(body), ...chosenEvents(ctx, body.events) }
  const [made] = await ctx.db
    .insert(contacts)
    .values({ customerId, ...fields })
    .returning({ id: contacts.id })
    .catch(refuseTaken)
  if (!made) throw new Error('insert returned nothing')
  return made
})

/** @throws Refusal 257 if a rule beyond the actor's groups uses this contact. */
function changeableOne(ctx: CallContext) {
  const found = rowOf(ctx, storedContact)
  return found.changeable ? found : refuse(alarmRefusals.receiverOfOthers)
}

export const updateContactHandler = handler(updateContact, async (ctx, body) => {
  const { id } = changeableOne(ctx)
  const events = chosenEvents(ctx, body.events)
  await edit(ctx, { opened: body.edition }, (tx) =>
    tx
      .update(contacts)
      .set({ ...fieldsOf(body), ...events, updatedAt: ctx.now() })
      .where(eq(contacts.id, id)),
  ).catch(refuseTaken)
  return null
})

/** [decisions/039] Refused while a rule uses it: a receiver of alarms must not disappear silently. */
export const deleteContactHandler = handler(deleteContact, async (ctx) => {
  const { id } = changeableOne(ctx)
  await ctx.db.transaction(async (tx) => {
    // Locked first, so that no rule begins to use it meanwhile.
    await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, id)).for('update')
    const [used] = await tx
      .select({ name: alarmRules.name, kind: alarmRules.kind })
      .from(alarmRuleContacts)
      .innerJoin(alarmRules, eq(alarmRules.id, alarmRuleContacts.ruleId))
      .where(eq(alarmRuleContacts.contactId, id))
      .limit(1)
    if (used) refuse(alarmRefusals.contactInUse, { rule: ruleNamed(ctx, used) })
    await tx.delete(contacts).where(eq(contacts.id, id))
  })
  return null
})
