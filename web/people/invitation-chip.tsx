/** The state of a user's invitation, sending it again, and withdrawing it. */
import { IconMailForward, IconMailOff } from '@tabler/icons-react'
import { type InvitationState, sendInvitation, withdrawInvitation } from '#schema/people/invitation'
import { getUserList } from '#schema/people/user'
import { userEditPermission } from '#schema/people/user-pages'
import { request } from '../kit/api.ts'
import { moment, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import type { RowAction } from '../kit/list/list-types.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { toast } from '../kit/toast.tsx'
import type { UserRow } from './user-form.ts'

const tones: Record<InvitationState, Tone> = {
  invited: 'pending',
  accepted: 'online',
  expired: 'warning',
  withdrawn: 'offline',
}

type Invited = Pick<UserRow, 'invitation'>

export const invitationText = ({ invitation }: Invited) =>
  invitation ? t(`invitation:state.${invitation.state}`) : UNKNOWN

export function InvitationChip({ row }: { row: Invited }) {
  const { invitation } = row
  if (!invitation) return UNKNOWN
  const { state, email, expiresAt } = invitation
  return (
    <StatusChip
      tone={tones[state]}
      label={invitationText(row)}
      hint={
        state === 'invited'
          ? `${t('invitation:sentTo', { email })} · ${t('invitation:until', { time: moment(expiresAt) })}`
          : t('invitation:sentTo', { email })
      }
    />
  )
}

/** null: a link can be sent. */
function whyNotInvited({
  invitation,
  lastLoginAt,
  email,
}: Pick<UserRow, 'invitation' | 'lastLoginAt' | 'email'>): string | null {
  if (invitation?.state === 'accepted') return t('invitation:reason.accepted')
  if (lastLoginAt !== null) return t('invitation:reason.loggedIn')
  return email === null ? t('invitation:reason.noEmail') : null
}

async function send({ user_id: userId, email }: UserRow): Promise<void> {
  try {
    const { kept } = await request(sendInvitation, { userId })
    void queryClient.invalidateQueries({ queryKey: [getUserList.name] })
    if (kept) void toast('warning', t('invitation:kept'))
    else void toast('success', t('invitation:sent', { email: email ?? '' }))
  } catch (error) {
    reportError(error)
  }
}

const withdraw = ({ user_id: userId, username: name }: UserRow) =>
  deleteRow({
    call: withdrawInvitation,
    body: { userId },
    verb: t('invitation:withdraw'),
    title: t('invitation:withdrawTitle', { name }),
    text: t('invitation:withdrawText'),
    done: t('invitation:withdrawn', { name }),
    refreshes: [getUserList],
  })

/** `reason`: why this user cannot be changed at all. */
export const invitationActions = (row: UserRow, reason: string | null): readonly RowAction[] => [
  {
    key: 'invite',
    label: t(row.invitation ? 'invitation:again' : 'invitation:send'),
    icon: IconMailForward,
    permission: userEditPermission,
    reason: whyNotInvited(row) ?? reason,
    run: () => void send(row),
  },
  {
    key: 'withdraw',
    label: t('invitation:withdraw'),
    icon: IconMailOff,
    permission: userEditPermission,
    reason: row.invitation?.state === 'invited' ? reason : t('invitation:reason.notOpen'),
    run: () => void withdraw(row),
  },
]
