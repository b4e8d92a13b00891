import FirnPlatform
import FirnValues

/// What the processes that have a log open tell each other: counters and words to wait on.
///
/// Nothing here is needed to recover; all of it can be made again from the files. A region is
/// believed only if it names this file, this boot and this log.
///
/// Whoever may write the file can write anything here at any time, or put an older copy back. So what
/// decides about acknowledged commits is checked: the tail and the newest commit on disk carry a
/// proof of their words, a writer compares the tail with what it knows and with the log
/// (``LogAttachment/newestHead()``), and nobody removes a log without having looked what follows its end.
///
/// Words (of 64 bits); those that different processes write often are a cache line apart:
///
///      0  magic and layout        1, 2  file id            3, 4  boot
///      5  log generation          6  1: ready              7  1: closed, look at the file again
///      8  a mark: a sync failed, nobody may commit any more
///      9  1: somebody who holds the writer lock is changing the root to one that no frame leads to
///     10  a mark: somebody who holds the writer lock is beginning the next segment
///     16  which tail counts: 0 or 1
///     24  tail 0: LSN, segment number, end of the last frame, chain, salt,   72  tail 1
///         proof of these
///     32  LSN up to which all is on disk     33  the same, turned and masked
///     40  the newest durable root                        41  its LSN
///     48  changes with every commit that is appended, with every one that is on disk, every root, and
///         the end: to wait on
///     49  the core on which the last commit was appended, and 1 more; 0 if it is not known
///     56  changes with every sync: to wait on
///     64  changes whenever the writer lock is given back: to wait on
///
/// A tail is written into the place that does not count, then made to count: a writer that dies in
/// between has appended nothing.
///
/// No wake-up is lost, with two exceptions:
///
/// - A waiter reads the word that it waits on, then looks at the state, then waits while the word is the
///   same. Whoever changes the state does that first, then changes the word, then wakes. All accesses
///   have one order, and the system compares the word and goes to sleep in one step: either the waiter
///   sees the new state, or its wait does not begin, or it is woken.
/// - A right is given back before the word changes, and a thread is refused only while another one has the
///   right; see ``FileLock``.
/// - A region that is closed or made ready changes its words too.
///
/// The exceptions: a process that is killed between the change of the state and the wake-up wakes nobody,
/// and two observers that leave at once may take away the memory that a third one has just made. So
/// every wait ends on its own: for a turn after 2 ms, for a sync after 5 ms, for news after a second. The
/// engine holds no lock of its process meanwhile. `.ci/models` checks models of this, which are in
/// `Tests/Models`.
struct SharedLogState: Sendable {
    /// The last frame that was written to the log, on disk or not.
    struct Tail: Hashable, Sendable {
        var lsn: LSN
        var segment: UInt64
        /// Where the next frame begins.
        var end: UInt64
        var chain: ChainHash
        /// Of the segment: tells its use from one whose maker died before anybody changed to it.
        var salt: UInt64

        init(lsn: LSN, segment: UInt64, end: UInt64, chain: ChainHash, salt: UInt64) {
            self.lsn = lsn
            self.segment = segment
            self.end = end
            self.chain = chain
            self.salt = salt
        }

        /// A segment without frames.
        init(start header: LogHeader) {
            self.init(
                LogAddress(segment: header.number, position: header.start), salt: header.salt)
        }

        init(_ place: LogAddress, salt: UInt64) {
            self.init(
                lsn: place.lsn, segment: place.segment, end: place.position.offset,
                chain: place.chain, salt: salt)
        }

        var place: LogAddress {
            LogAddress(
                segment: segment, position: LogPosition(offset: end, lsn: lsn, chain: chain))
        }

        /// What a tail that was written as a whole has behind it.
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
    /// Of builds whose shared memory has no proofs.
    private static let earlierMagic: UInt64 = 0x314D_4853_4E52_4946
    fileprivate static let mask: UInt64 = 0x5CA1_AB1E_F1A5_C0DE
    /// By how much the two words about what is on disk differ at most, while one of them changes.
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

    // MARK: Making and believing

    /// Fills a new region; nobody believes it before ``isReady(for:generation:boot:)`` holds.
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

    /// Lets everybody use the region.
    ///
    /// Wakes those who wait on it already: they may have looked for a version before the one with which
    /// the log begins was there, and nothing else tells them of that.
    func makeReady() {
        region.store(1, at: Word.ready)
        announce()
    }

    /// Whether nobody can miss a file in the place of the shared memory: it is such memory, or its
    /// making was cut off.
    ///
    /// A power loss may leave any mixture of what was written and zeros, also in the middle of words.
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

    /// The log that the region is for; 0 if there is none, and it only serves to wait.
    var generation: UInt64 { region.load(Word.generation) }

    /// Whether the region is that of a log that is in use.
    func isReady(for fileID: UUID, generation: UInt64, boot: BootIdentity?) -> Bool {
        region.load(Word.ready) == 1 && belongs(to: fileID, boot: boot)
            && region.load(Word.generation) == generation && !isClosed
    }

    // MARK: State

    /// Also if the memory is not what it was made as: then the files say what there is.
    var isClosed: Bool {
        region.load(Word.closed) != 0 || region.load(Word.magic) != SharedLogState.magic
    }

    /// Lets everybody use the region again whose closing failed.
    func reopen() { region.store(0, at: Word.closed) }

    /// Sends everybody back to the files.
    func close() {
        region.store(1, at: Word.closed)
        announceSync()
        signalWriterRelease()
    }

    var hasFailed: Bool { region.load(Word.failed) == SharedLogState.mask }

    /// Ends all committing until the log was recovered.
    func fail() {
        region.store(SharedLogState.mask, at: Word.failed)
        announceSync()
    }

    /// Whether a writer died, or is, between a root that has commits of its own and the tail that
    /// says so; under the writer lock.
    var isChangingRoot: Bool { region.load(Word.changingRoot) != 0 }

    func noteChangingRoot(_ isChanging: Bool) {
        region.store(isChanging ? 1 : 0, at: Word.changingRoot)
    }

    /// Whether a writer died, or is, between the beginning of the next segment and the tail that
    /// stands in it; under the writer lock.
    var isChangingSegment: Bool { region.load(Word.changingSegment) == SharedLogState.mask }

    func noteChangingSegment(_ isChanging: Bool) {
        region.store(isChanging ? SharedLogState.mask : 0, at: Word.changingSegment)
    }

    // MARK: Tail

    /// The tail; exact under the writer lock.
    var tail: Tail {
        let base = Word.tails[Int(region.load(Word.tailChoice) & 1)]
        return Tail(
            lsn: LSN(region.load(base)), segment: region.load(base + 1),
            end: region.load(base + 2), chain: ChainHash(region.load(base + 3)),
            salt: region.load(base + 4))
    }

    /// The tail if its proof is right; under the writer lock.
    var wholeTail: Tail? {
        let tail = tail
        let base = Word.tails[Int(region.load(Word.tailChoice) & 1)]
        return region.load(base + 5) == tail.proof ? tail : nil
    }

    /// The LSN of the tail, for whoever does not hold the writer lock.
    ///
    /// - Returns: `nil` if the tail is just changing: the place that was looked at may count no more.
    var appended: LSN? {
        let choice = region.load(Word.tailChoice)
        let lsn = LSN(region.load(Word.tails[Int(choice & 1)]))
        return region.load(Word.tailChoice) == choice ? lsn : nil
    }

    /// Makes another tail count; under the writer lock.
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
    /// The proof is written after the word, so that it is never ahead.
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

    /// Notes that all commits up to one are on disk; ``announceSync()`` wakes who waits for that.
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

    /// Wakes who waits for a sync, and who waits for commits.
    func announceSync() {
        announceDurability()
        announceEndOfSync()
    }

    /// Wakes who waits for commits that are on disk.
    func announceDurability() { announce() }

    /// Wakes who waits for a sync.
    func announceEndOfSync() {
        region.add(1, at: Word.syncs)
        region.wake(Word.syncs)
    }

    /// A number to hand to ``waitForSync(since:nanoseconds:)``; taken before looking at ``synced``.
    var syncCount: UInt32 { UInt32(truncatingIfNeeded: region.load(Word.syncs)) }

    func waitForSync(since count: UInt32, nanoseconds: UInt64) {
        region.wait(Word.syncs, while: count, nanoseconds: nanoseconds)
    }

    // MARK: Roots and announcements

    var root: RootVersion { RootVersion(region.load(Word.root)) }

    /// The version that the newest root has; what the log holds after it waits to be folded.
    var rootLSN: LSN { LSN(region.load(Word.rootLSN)) }

    func noteRoot(_ version: RootVersion, _ lsn: LSN) {
        region.store(lsn.rawValue, at: Word.rootLSN)
        region.store(version.rawValue, at: Word.root)
        announce()
    }

    /// A number to hand to ``waitForNews(since:nanoseconds:)``.
    var newsCount: UInt32 { UInt32(truncatingIfNeeded: region.load(Word.published)) }

    func waitForNews(since count: UInt32, nanoseconds: UInt64) {
        region.wait(Word.published, while: count, nanoseconds: nanoseconds)
    }

    /// Wakes who waits for commits, so that all is ready for this one when it is on disk.
    func announceAppend() {
        region.store(region.currentCore.map { UInt64($0.number) + 1 } ?? 0, at: Word.appender)
        announce()
    }

    /// Whether the last commit was appended on another core than that of the caller, as far as that is
    /// known.
    var appendedElsewhere: Bool {
        let number = region.load(Word.appender)
        guard number > 0, let own = region.currentCore else { return false }
        return UInt64(own.number) != number - 1
    }

    /// Waits without going to sleep, for a moment, until a version is on disk.
    ///
    /// - Returns: whether it is.
    func watchSynced(through lsn: LSN, nanoseconds: UInt64) -> Bool {
        // What is written last.
        let proof = region.load(Word.syncedProof)
        if synced >= lsn { return true }
        return region.watch(Word.syncedProof, while: proof, nanoseconds: nanoseconds)
            && synced >= lsn
    }

    /// Wakes who waits for commits, although there may be none.
    func nudge() { announce() }

    private func announce() {
        region.add(1, at: Word.published)
        region.wake(Word.published)
    }

    // MARK: The writer lock

    /// A number to hand to ``waitForTurn(since:nanoseconds:)``; taken before trying the lock.
    var turnCount: UInt32 { UInt32(truncatingIfNeeded: region.load(Word.turns)) }

    func waitForTurn(since count: UInt32, nanoseconds: UInt64) {
        region.wait(Word.turns, while: count, nanoseconds: nanoseconds)
    }

    /// Tells those who wait for the writer lock that it was given back.
    func signalWriterRelease() {
        region.add(1, at: Word.turns)
        region.wake(Word.turns)
    }
}
