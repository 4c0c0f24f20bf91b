/** A confirmation before an irreversible action. */
import type { ReactNode } from 'react'

export type Question = {
  title: string
  text: ReactNode
  /** The verb on the button: what will happen, not "OK". */
  verb: string
  /** The other button, if "Cancel" could be mistaken for the verb. */
  dismiss?: string
  /** Something is lost or interrupted: the button is red. */
  danger?: boolean
  /** Text that must be typed first (a serial number, a count), for irreversible actions. */
  typed?: string
}
export type Asked = { question: Question; answer: (yes: boolean) => void }
