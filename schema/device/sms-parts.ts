/** The number of network messages that a text needs [3GPP TS 23.038, 23.040]. */

/** The GSM 7-bit character set, and the characters that take two septets. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '\f^{}\\[~]|€'

const ONE = { gsm: 160, ucs2: 70 } as const
/** Characters per part, with the header for concatenation. */
const OF_SEVERAL = { gsm: 153, ucs2: 67 } as const

export function smsParts(text: string): number {
  const characters = [...text]
  const gsm = characters.every((one) => BASIC.includes(one) || EXTENDED.includes(one))
  const places = gsm
    ? characters.reduce((sum, one) => sum + (EXTENDED.includes(one) ? 2 : 1), 0)
    : text.length
  const coding = gsm ? 'gsm' : 'ucs2'
  return places <= ONE[coding] ? 1 : Math.ceil(places / OF_SEVERAL[coding])
}
