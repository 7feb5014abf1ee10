/** Whether a text is a whole number from 1 to 100. */
export const isPercent = (text: string): boolean =>
  /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 100;
