import FirnPlatform
import FirnValues

/// The state that the processes with an open log share: counters, and words to wait on.
///
/// Recovery does not need it, because all of it can be rebuilt from the files. A region is trusted
/// only if it names this file, this boot and this log.
///
/// A process that may write the file can write anything here at any time, or restore an older copy.
/// The words that decide about acknowledged commits are therefore verified: the tail and the newest
/// durable commit carry a proof, a writer compares the tail with its own knowledge and with the log
/// (``LogAttachment/newestHead()``), and no process removes a log before it has examined the bytes
/// after its end.
///
/// Words (of 64 bits); those that different processes write often are a cache line apart:
///
///      0  magic and layout        1, 2  file id            3, 4  boot
///      5  log generation          6  1: ready              7  1: closed, look at the file again
///      8  a mark: a sync failed, no process may commit any more
///      9  1: the holder of the writer lock is changing the root to one that no frame leads to
///     10  a mark: the holder of the writer lock is beginning the next segment
///     11  when the sync failed: LSN of the tail       12  the newest durable commit     13  chain
///     16  which tail is current: 0 or 1
///     24  tail 0: LSN, segment number, end of the last frame, chain, salt,   72  tail 1
///         proof of these
///     32  LSN up to which all commits are on disk     33  the same, rotated and masked
///     40  the newest durable root                     41  its LSN
///     48  changes with every commit that is appended, with every one that is on disk, with every
///         root, and with the end: to wait on
///     49  the core on which the last commit was appended, plus 1; 0 if it is not known
///     56  changes with every sync: to wait on
///     64  changes whenever the writer lock is released: to wait on
///
/// A tail is written to the copy that is not current, which then becomes current: a writer that
/// dies in between has appended nothing.
///
/// No wake-up is lost, with two exceptions:
///
/// - A waiter reads the word that it waits on, then examines the state, then waits while the word
///   is unchanged. A writer first changes the state, then the word, and then wakes the waiters. All
///   accesses have one total order, and the system compares the word and suspends the thread in one
///   step. Either the waiter sees the new state, or its wait does not begin, or it is woken.
/// - A lock is released before the word changes, and a thread is refused only while another thread
///   holds the lock; see ``FileLock``.
/// - A region that is closed or made ready changes its words, too.
///
/// The exceptions: a process that is killed between the change of the state and the wake-up wakes
/// no waiter, and two observers that leave at once may remove the memory that a third one has just
/// created. Every wait therefore has a timeout: 2 ms for the writer lock, 5 ms for a sync, one
/// second for commits. The engine holds no lock of its process meanwhile. `.ci/soak/models` checks
/// models of this protocol, which are in `Tests/Models`.
struct SharedLogState: Sendable {
    /// The last frame that was written to the log, on disk or not.
    struct Tail: Hashable, Sendable {
        var lsn: LSN
        var segment: UInt64
        /// The offset of the next frame.
        var end: UInt64
        var chain: ChainHash
        /// The salt of the segment.
        ///
        /// It distinguishes this use from one whose creator died before any process switched to it.
        var salt: UInt64

        init(lsn: LSN, segment: UInt64, end: UInt64, chain: ChainHash, salt: UInt64) {
            self.lsn = lsn
            self.segment = segment
            self.end = end
            self.chain = chain
            self.salt = salt
        }

        /// Creates the tail of a segment without frames.
        init(start header: LogHeader) {
            self.init(
                LogAddress(segment: header.number, position: header.start), salt: header.salt)
        }

        init(_ address: LogAddress, salt: UInt64) {
            self.init(
                lsn: address.lsn, segment: address.segment, end: address.position.offset,
                chain: address.chain, salt: salt)
        }

        var address: LogAddress {
            LogAddress(
                segment: segment, position: LogPosition(offset: end, lsn: lsn, chain: chain))
        }

        /// The proof that follows a completely written tail.
        fileprivate var proof: UInt64 {
            var proof = SharedLogState.mask
            for word in [lsn.rawValue, segment, end, chain.rawValue, salt] {
                proof = (proof ^ word) &* 0x9E37_79B9_7F4A_7C15
                proof ^= proof >> 29
            }
            return proof
        }
    }

    static let wordCount = 80
    private static let magic: UInt64 = 0x324D_4853_4E52_4946
    /// The magic number of builds whose shared memory has no proofs.
    private static let earlierMagic: UInt64 = 0x314D_4853_4E52_4946
    fileprivate static let mask: UInt64 = 0x5CA1_AB1E_F1A5_C0DE
    /// The largest difference between the two words for the durable LSN while one of them changes.
    private static let syncedLagMaximum: UInt64 = 1 << 20

    private enum Word {
        static let magic = 0
        static let fileID = 1
        static let boot = 3
        static let generation = 5
        static let ready = 6
        static let closed = 7
        static let failed = 8
        static let changingRoot = 9
        static let changingSegment = 10
        static let failedTail = 11
        static let failedDurable = 12
        static let failedChain = 13
        static let tailChoice = 16
        static let tails = [24, 72]
        static let synced = 32
        static let syncedProof = 33
        static let root = 40
        static let rootLSN = 41
        static let published = 48
        static let appender = 49
        static let syncs = 56
        static let turns = 64
    }

    private let region: any SharedRegion

    init(_ region: any SharedRegion) { self.region = region }

    // MARK: Creation and validation

    /// Fills a new region, which is not used before ``isReady(for:generation:boot:)`` holds.
    func prepare(_ purpose: RegionPurpose) {
        region.store(purpose.fileID.high, at: Word.fileID)
        region.store(purpose.fileID.low, at: Word.fileID + 1)
        region.store(purpose.boot?.high ?? 0, at: Word.boot)
        region.store(purpose.boot?.low ?? 0, at: Word.boot + 1)
        region.store(purpose.generation, at: Word.generation)
        write(purpose.tail)
        region.store(purpose.tail.lsn.rawValue, at: Word.synced)
        region.store(
            SharedLogState.proof(ofSynced: purpose.tail.lsn.rawValue), at: Word.syncedProof)
        region.store(purpose.rootLSN.rawValue, at: Word.rootLSN)
        region.store(purpose.root.rawValue, at: Word.root)
        region.store(SharedLogState.magic, at: Word.magic)
    }

    /// Opens the region to all processes.
    ///
    /// It wakes those that already wait on the region: they may have looked for a version before
    /// the first version of the log was there, and receive no other notification of it.
    func makeReady() {
        region.store(1, at: Word.ready)
        announce()
    }

    /// Whether a file at the path of the shared memory can be removed without loss.
    ///
    /// It is such memory, or its creation was interrupted. A power loss may leave any mixture of
    /// the written bytes and zeros, even within a word.
    static func isLeftover(_ file: any File) -> Bool {
        var first: UInt64 = 0
        let count = withUnsafeMutableBytes(of: &first) { try? file.read(at: 0, into: $0) }
        guard count != nil, let size = try? file.status().size,
            size <= UInt64(wordCount * MemoryLayout<UInt64>.size)
        else { return false }
        let written = first.littleEndian
        return [magic, earlierMagic].contains { written & $0.littleEndian == written }
    }

    /// Whether the region belongs to a file in this boot.
    func belongs(to fileID: UUID, boot: BootIdentity?) -> Bool {
        region.load(Word.magic) == SharedLogState.magic
            && region.load(Word.fileID) == fileID.high && region.load(Word.fileID + 1) == fileID.low
            && region.load(Word.boot) == boot?.high ?? 0
            && region.load(Word.boot + 1) == boot?.low ?? 0
    }

    /// The generation of the log of the region; 0 if there is no log and the region only serves to
    /// wait.
    var generation: UInt64 { region.load(Word.generation) }

    /// Whether the region belongs to a log that is in use.
    func isReady(for fileID: UUID, generation: UInt64, boot: BootIdentity?) -> Bool {
        region.load(Word.ready) == 1 && belongs(to: fileID, boot: boot)
            && region.load(Word.generation) == generation && !isClosed
    }

    // MARK: State

    /// Whether processes must use the files instead, because the region is closed or overwritten.
    var isClosed: Bool {
        region.load(Word.closed) != 0 || region.load(Word.magic) != SharedLogState.magic
    }

    /// Opens the region again after its closing failed.
    func reopen() { region.store(0, at: Word.closed) }

    /// Closes the region, so that all processes use the files again.
    func close() {
        region.store(1, at: Word.closed)
        announceSync()
        signalWriterRelease()
    }

    /// A sync that failed.
    struct FailedSync {
        /// The last commit that was appended when it failed.
        let tail: LSN
        /// The chain up to that commit.
        let chain: ChainHash
        /// The newest commit that was on disk then.
        let durable: LSN
    }

    var hasFailed: Bool { region.load(Word.failed) == SharedLogState.mask }

    /// The failed sync after which no process may commit.
    ///
    /// A log with another end has gone on since then: the mark is an older copy.
    var failedSync: FailedSync? {
        guard hasFailed else { return nil }
        return FailedSync(
            tail: LSN(region.load(Word.failedTail)),
            chain: ChainHash(region.load(Word.failedChain)),
            durable: LSN(region.load(Word.failedDurable)))
    }

    /// Ends all commits until the log is recovered.
    func fail(_ failure: FailedSync) {
        region.store(failure.tail.rawValue, at: Word.failedTail)
        region.store(failure.durable.rawValue, at: Word.failedDurable)
        region.store(failure.chain.rawValue, at: Word.failedChain)
        region.store(SharedLogState.mask, at: Word.failed)
        announceSync()
    }

    /// Whether a writer is, or was when it died, between the publication of a root with its own
    /// commits and the matching tail; under the writer lock.
    var isChangingRoot: Bool { region.load(Word.changingRoot) != 0 }

    func noteChangingRoot(_ isChanging: Bool) {
        region.store(isChanging ? 1 : 0, at: Word.changingRoot)
    }

    /// Whether a writer is, or was when it died, between the beginning of the next segment and the
    /// tail in it; under the writer lock.
    var isChangingSegment: Bool { region.load(Word.changingSegment) == SharedLogState.mask }

    func noteChangingSegment(_ isChanging: Bool) {
        region.store(isChanging ? SharedLogState.mask : 0, at: Word.changingSegment)
    }

    // MARK: Tail

    /// The tail, which is exact only under the writer lock.
    var tail: Tail {
        let base = Word.tails[Int(region.load(Word.tailChoice) & 1)]
        return Tail(
            lsn: LSN(region.load(base)), segment: region.load(base + 1),
            end: region.load(base + 2), chain: ChainHash(region.load(base + 3)),
            salt: region.load(base + 4))
    }

    /// The tail if its proof is valid, under the writer lock.
    var wholeTail: Tail? {
        let tail = tail
        let base = Word.tails[Int(region.load(Word.tailChoice) & 1)]
        return region.load(base + 5) == tail.proof ? tail : nil
    }

    /// The LSN of the tail, for callers that do not hold the writer lock.
    ///
    /// - Returns: `nil` if the tail is just changing, so that the examined copy may no longer be
    ///   current.
    var appended: LSN? {
        let choice = region.load(Word.tailChoice)
        let lsn = LSN(region.load(Word.tails[Int(choice & 1)]))
        return region.load(Word.tailChoice) == choice ? lsn : nil
    }

    /// Makes another tail current, under the writer lock.
    func write(_ tail: Tail) {
        let choice = (region.load(Word.tailChoice) & 1) ^ 1
        let base = Word.tails[Int(choice)]
        region.store(tail.lsn.rawValue, at: base)
        region.store(tail.segment, at: base + 1)
        region.store(tail.end, at: base + 2)
        region.store(tail.chain.rawValue, at: base + 3)
        region.store(tail.salt, at: base + 4)
        region.store(tail.proof, at: base + 5)
        region.store(choice, at: Word.tailChoice)
    }

    // MARK: Durability

    /// The newest commit that is on disk; 0 if the memory does not prove any.
    ///
    /// The proof is written after the word, so that it is never ahead of it.
    var synced: LSN {
        let proven = SharedLogState.synced(ofProof: region.load(Word.syncedProof))
        let noted = region.load(Word.synced)
        return SharedLogState.isPossible(noted, proven: proven) ? LSN(proven) : .zero
    }

    private static func proof(ofSynced lsn: UInt64) -> UInt64 { (lsn << 23 | lsn >> 41) ^ mask }

    private static func synced(ofProof proof: UInt64) -> UInt64 {
        let turned = proof ^ mask
        return turned >> 23 | turned << 41
    }

    private static func isPossible(_ noted: UInt64, proven: UInt64) -> Bool {
        proven <= noted && noted - proven <= syncedLagMaximum
    }

    /// Records that all commits up to one are on disk; ``announceSync()`` wakes the waiting
    /// threads.
    func noteSynced(_ lsn: LSN) {
        let new = lsn.rawValue
        while true {
            let proven = SharedLogState.synced(ofProof: region.load(Word.syncedProof))
            let known = region.load(Word.synced)
            guard known < new || !SharedLogState.isPossible(known, proven: proven) else { break }
            if region.exchange(known, for: new, at: Word.synced) { break }
        }
        while true {
            let proof = region.load(Word.syncedProof)
            let proven = SharedLogState.synced(ofProof: proof)
            guard proven < new || proven > region.load(Word.synced) else { return }
            let better = SharedLogState.proof(ofSynced: new)
            if region.exchange(proof, for: better, at: Word.syncedProof) { return }
        }
    }

    /// Wakes the threads that wait for a sync or for commits.
    func announceSync() {
        announceDurability()
        announceEndOfSync()
    }

    /// Wakes the threads that wait for durable commits.
    func announceDurability() { announce() }

    /// Wakes the threads that wait for a sync.
    func announceEndOfSync() {
        region.add(1, at: Word.syncs)
        region.wake(Word.syncs)
    }

    /// The count to pass to ``waitForSync(since:nanoseconds:)``, taken before ``synced`` is
    /// examined.
    var syncCount: UInt32 { UInt32(truncatingIfNeeded: region.load(Word.syncs)) }

    func waitForSync(since count: UInt32, nanoseconds: UInt64) {
        region.wait(Word.syncs, while: count, nanoseconds: nanoseconds)
    }

    // MARK: Roots and announcements

    var root: RootVersion { RootVersion(region.load(Word.root)) }

    /// The version of the newest root; the later commits of the log are not folded yet.
    var rootLSN: LSN { LSN(region.load(Word.rootLSN)) }

    func noteRoot(_ version: RootVersion, _ lsn: LSN) {
        region.store(lsn.rawValue, at: Word.rootLSN)
        region.store(version.rawValue, at: Word.root)
        announce()
    }

    /// The count to pass to ``waitForNews(since:nanoseconds:)``.
    var newsCount: UInt32 { UInt32(truncatingIfNeeded: region.load(Word.published)) }

    func waitForNews(since count: UInt32, nanoseconds: UInt64) {
        region.wait(Word.published, while: count, nanoseconds: nanoseconds)
    }

    /// Wakes the threads that wait for commits, so that they can prepare for this one during its
    /// sync.
    func announceAppend() {
        region.store(region.currentCore.map { UInt64($0.number) + 1 } ?? 0, at: Word.appender)
        announce()
    }

    /// Whether the last commit was appended on a core known to differ from the caller's.
    var appendedElsewhere: Bool {
        let number = region.load(Word.appender)
        guard number > 0, let own = region.currentCore else { return false }
        return UInt64(own.number) != number - 1
    }

    /// Spins for a limited time until a version is on disk.
    ///
    /// - Returns: Whether the version is on disk.
    func watchSynced(through lsn: LSN, nanoseconds: UInt64) -> Bool {
        // This word is written last.
        let proof = region.load(Word.syncedProof)
        if synced >= lsn { return true }
        return region.watch(Word.syncedProof, while: proof, nanoseconds: nanoseconds)
            && synced >= lsn
    }

    /// Wakes the threads that wait for commits, even if there is no new commit.
    func nudge() { announce() }

    private func announce() {
        region.add(1, at: Word.published)
        region.wake(Word.published)
    }

    // MARK: The writer lock

    /// The count to pass to ``waitForTurn(since:nanoseconds:)``, taken before the lock is tried.
    var turnCount: UInt32 { UInt32(truncatingIfNeeded: region.load(Word.turns)) }

    func waitForTurn(since count: UInt32, nanoseconds: UInt64) {
        region.wait(Word.turns, while: count, nanoseconds: nanoseconds)
    }

    /// Notifies the threads that wait for the writer lock that it was released.
    func signalWriterRelease() {
        region.add(1, at: Word.turns)
        region.wake(Word.turns)
    }
}
