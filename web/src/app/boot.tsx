/** What index.html shows before any script has come, kept until the first page is there. */
export function Boot() {
  return (
    <div className="boot">
      <img src="/favicon.svg" alt="" width="24" height="24" />
      Image Enhancement
    </div>
  );
}
