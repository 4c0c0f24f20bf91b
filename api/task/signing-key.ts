import { eq } from 'drizzle-orm'
import { type PublicKey, readPublicKey, readSignature, signerOf, signifyLine } from '#infra/ed25519'
import { refuse } from '#schema/kit/refusal'
import { isPlatformType } from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { signingKeys } from '#schema/tables/signing-key'
import { users } from '#schema/tables/user'
import { packageRefusals } from '#schema/task/package-refusals'
import { signedText } from '#schema/task/signed-package'
import {
  createSigningKey,
  deleteSigningKey,
  getSigningKeyList,
  signingKeyObject,
} from '#schema/task/signing-key'
import { rowOf } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'

export const storedSigningKey = stored({
  object: signingKeyObject,
  table: signingKeys,
  id: signingKeys.id,
  name: signingKeys.name,
  customerId: signingKeys.customerId,
  seen: (walls) => walls.signingKeys,
  row: () => ({ id: signingKeys.id }),
  facts: { key: signingKeys.keyName },
})

const keyOf = (row: { keyName: string; publicKey: string }): PublicKey => ({
  keyName: row.keyName,
  bytes: Buffer.from(row.publicKey, 'base64'),
})

export const getSigningKeyListHandler = listOf(
  getSigningKeyList,
  'signingKeys',
  ({ db, actor }) => ({
    table: signingKeys,
    rows: db
      .select({
        id: signingKeys.id,
        name: signingKeys.name,
        customerId: signingKeys.customerId,
        customerName: customers.name,
        keyName: signingKeys.keyName,
        publicKey: signingKeys.publicKey,
        createdBy: knownName(actor, users, signingKeys.createdBy),
        createdAt: signingKeys.createdAt,
      })
      .from(signingKeys)
      .leftJoin(customers, eq(customers.id, signingKeys.customerId))
      .leftJoin(users, eq(users.id, signingKeys.createdBy)),
  }),
  (rows) =>
    rows.map(({ publicKey, ...row }) => ({ ...row, deviceKey: signifyLine(keyOf({ ...row, publicKey })) })),
)

export const createSigningKeyHandler = handler(createSigningKey, async (ctx, body) => {
  const { actor, db } = ctx
  const foreign = body.customerId !== undefined && body.customerId !== actor.customerId
  if (!isPlatformType(actor.type) && (actor.customerId === null || foreign))
    refuse(sessionRefusals.noPermission, {}, 'customerId')
  const key = readPublicKey(body.publicKey)
  if (!key) refuse(packageRefusals.signingKeyInvalid, {}, 'publicKey')
  const known = () => refuse(packageRefusals.signingKeyKnown, {}, 'publicKey')
  const [row] = await db
    .insert(signingKeys)
    .values({
      customerId: actor.customerId ?? body.customerId ?? null,
      name: body.name,
      keyName: key.keyName,
      publicKey: key.bytes.toString('base64'),
      createdBy: actor.userId,
    })
    .returning({ id: signingKeys.id })
    .catch(whenTaken({ signing_keys_key: known, signing_keys_public: known }))
  if (!row) throw new Error('insert returned nothing')
  return { id: row.id, keyName: key.keyName }
})

export const deleteSigningKeyHandler = handler(deleteSigningKey, async (ctx) => {
  const { id } = rowOf(ctx, storedSigningKey)
  await ctx.db.delete(signingKeys).where(eq(signingKeys.id, id))
  return null
})

/**
 * The signature to store, with the key that made it; null if the owner has no keys and there is no signature. @throws
 * Refusal signatureMissing, signatureWrong
 */
export async function checkSignature(
  { sql }: Pick<CallContext, 'sql'>,
  customerId: number | null,
  file: Parameters<typeof signedText>[0],
  given: string | null | undefined,
): Promise<string | null> {
  const keys = await sql<{ keyName: string; publicKey: string }[]>`
    select key_name as "keyName", public_key as "publicKey" from signing_keys where customer_id is not distinct from ${customerId}::int`
  if (!given) return keys.length === 0 ? null : refuse(packageRefusals.signatureMissing, {}, 'signature')
  const signature = readSignature(given)
  const signer = signature && signerOf(keys.map(keyOf), signedText(file), signature)
  if (!signature || !signer) return refuse(packageRefusals.signatureWrong, {}, 'signature')
  return signifyLine({ keyName: signer.keyName, bytes: signature.bytes })
}
