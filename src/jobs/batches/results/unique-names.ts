/** Gives files of one folder names that are also different for Windows and macOS, which ignore case. */
export class UniqueNames {
  private readonly used = new Set<string>();

  /** @returns the name, or the name with the first free number: `portrait-2.png` */
  take(name: string): string {
    for (let count = 1; ; count += 1) {
      const numbered = count === 1 ? name : name.replace(/(\.\w+)$/, `-${count}$1`);
      const key = numbered.normalize().toLowerCase();
      if (this.used.has(key)) continue;
      this.used.add(key);
      return numbered;
    }
  }
}
