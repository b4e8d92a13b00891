import FirnPlatform
import FirnValues

/// The four copies as they are in the file now.
struct SuperblockReading: Sendable {
    /// The newest root that has a whole copy.
    let newest: Superblock
    let copies: [Superblock.CopyState]
    /// The slot without a whole copy, which may have held the newest root.
    let lostSlot: Int?

    /// Whether the only damage is what a power loss causes before the second copy of the newest
    /// root is on disk.
    var isSecondCopyTorn: Bool { damagedCopies == [newest.copies[1]] }

    /// The copies of the newest root that are not whole, which are harmless as long as one is.
    ///
    /// A whole copy of an older root is not included: a commit that is in progress, or was
    /// interrupted, leaves one.
    var damagedCopies: [Int] {
        newest.copies.filter { copy in
            if case .valid = copies[copy] { return false }
            return true
        }
    }

    /// Whether the newest root was on disk when its last copy was written; see ``RootPublisher``.
    var isNewestProvenDurable: Bool {
        newest.copies.allSatisfy { copies[$0] == .valid(newest) }
    }

    /// Reads the copies and selects the current root.
    ///
    /// A crash tears at most one copy of a slot, and damage to one copy never matters; see
    /// ``Superblock``.
    ///
    /// - Parameter isSalvaging: Whether to accept the older root where the newest may be lost.
    /// - Throws: ``StoreError`` with `notADatabase`, `formatTooNew`, or `corrupt` if one of the
    ///   slots has no whole copy.
    static func read(
        from file: any File, isSalvaging: Bool = false
    ) throws(StoreError) -> SuperblockReading {
        try read(try header(of: file), from: file, isSalvaging: isSalvaging).reading
    }

    /// Selects the current root, and reads the copies again if a commit may have been writing them.
    ///
    /// - Parameter header: The result of ``header(of:)``.
    /// - Returns: The header bytes that were used, and the reading.
    static func read(
        _ header: [UInt8], from file: any File, isSalvaging: Bool
    ) throws(StoreError) -> (header: [UInt8], reading: SuperblockReading) {
        var header = header
        while true {
            let reading = try SuperblockReading(header, path: file.path)
            guard let slot = reading.lostSlot, !isSalvaging else { return (header, reading) }
            // Reads and writes of several pages are not atomic: both copies may have been read in
            // the middle of two consecutive writes. After a crash, two reads return the same bytes.
            let again = try self.header(of: file)
            guard again != header else { throw reading.lost(slot, path: file.path) }
            header = again
        }
    }

    /// Returns the bytes of all copies, or fewer if the file is truncated.
    static func header(of file: any File) throws(StoreError) -> [UInt8] {
        try attempt(file.bytes(at: 0, count: Superblock.headerByteCount), to: "read the superblock")
    }

    /// Evaluates the copies without rejecting a lost slot.
    ///
    /// - Parameter header: The result of ``header(of:)``.
    private init(_ header: [UInt8], path: String) throws(StoreError) {
        let records = (0..<Superblock.copyCount).map { copy -> ArraySlice<UInt8> in
            let start = copy * Superblock.pageByteCount
            let end = start + Superblock.recordByteCount
            return end <= header.count ? header[start..<end] : []
        }
        let copies = records.enumerated().map { Superblock.state(of: $1, copy: $0) }
        if let format = SuperblockReading.newerFormat(copies) {
            throw SuperblockReading.newerFormat(format, path: path)
        }
        let states = copies + SuperblockReading.misplaced(copies, records)
        guard header.count == Superblock.headerByteCount,
            let newest = SuperblockReading.newest(states)
        else {
            throw SuperblockReading.failure(
                copies: copies, isEmpty: header.isEmpty, path: path)
        }
        try SuperblockReading.checkFeatures(newest, path: path)
        self.newest = newest
        self.copies = copies
        lostSlot = SuperblockReading.lostSlot(newest, states, records)
    }

    /// Returns the slot without a whole copy, unless nothing was ever committed to it.
    private static func lostSlot(
        _ newest: Superblock, _ states: [Superblock.CopyState], _ records: [ArraySlice<UInt8>]
    ) -> Int? {
        func isWhole(_ slot: Int) -> Bool {
            states.contains { state in
                guard case .valid(let superblock) = state else { return false }
                return Int(superblock.rootVersion.rawValue & 1) == slot
            }
        }
        guard let lost = (0..<2).first(where: { !isWhole($0) }) else { return nil }
        let isUnused =
            newest.rootVersion == RootVersion(0)
            && newest.compatibleFeatures & Superblock.bothSlotsFeature == 0
            && records[lost + 2].allSatisfy { $0 == 0 }
        return isUnused ? nil : lost
    }

    private func lost(_ slot: Int, path: String) -> StoreError {
        let offsets = [slot, slot + 2].map { "\(Superblock.offset(ofCopy: $0))" }
        return StoreError(
            .corrupt, path: path,
            detail: "both copies of a slot of the superblock, at bytes \(offsets[0]) and "
                + "\(offsets[1]), are damaged: what was committed after version "
                + "\(newest.lsn.rawValue) may be lost",
            remedy: "restore a copy, or save what version \(newest.lsn.rawValue) has with: "
                + "firn check \(path) --salvage OUT")
    }

    /// Returns the whole copies that are in the place of another copy.
    ///
    /// If a drive writes the second copy of a root over the first, neither is where it belongs. The
    /// other slot is whole, so without this check the acknowledged commit would be lost silently.
    private static func misplaced(
        _ copies: [Superblock.CopyState], _ records: [ArraySlice<UInt8>]
    ) -> [Superblock.CopyState] {
        copies.indices.filter { copies[$0] == .damaged }.flatMap { index in
            copies.indices.map { Superblock.state(of: records[index], copy: $0) }
        }
    }

    private static func newest(_ copies: [Superblock.CopyState]) -> Superblock? {
        copies.compactMap { state -> Superblock? in
            if case .valid(let superblock) = state { return superblock }
            return nil
        }
        .max { $0.rootVersion < $1.rootVersion }
    }

    /// Returns the format of a root that a newer build committed over an older one, if there is
    /// one.
    ///
    /// The other slot still holds the last root of a known format. A reader that used it would
    /// return old data, and a writer would overwrite the newer root. If only one copy looks newer,
    /// it is damaged, and the other copy of its slot decides.
    private static func newerFormat(_ copies: [Superblock.CopyState]) -> UInt32? {
        for slot in 0..<2 {
            let formats = [slot, slot + 2].map { copy -> (format: UInt32, isWhole: Bool)? in
                if case .newer(let format, let isWhole) = copies[copy] { return (format, isWhole) }
                return nil
            }
            if let whole = formats.compactMap({ $0 }).first(where: \.isWhole) {
                return whole.format
            }
            if let first = formats[0], formats[1] != nil { return first.format }
        }
        return nil
    }

    private static func failure(
        copies: [Superblock.CopyState], isEmpty: Bool, path: String
    ) -> StoreError {
        let formats = copies.compactMap { state -> UInt32? in
            if case .newer(let format, _) = state { return format }
            return nil
        }
        if let format = formats.max() { return newerFormat(format, path: path) }
        guard copies.contains(where: { $0 != .foreign }) else {
            let detail = isEmpty ? "the file is empty" : "the file is not a Firn database"
            return StoreError(
                .notADatabase, path: path, detail: detail,
                remedy: "make a database with: firn create FILE --from INPUT")
        }
        return .corrupt(path, "no copy of the superblock is whole, or the file is cut off")
    }

    private static func newerFormat(_ format: UInt32, path: String) -> StoreError {
        StoreError(
            .formatTooNew, path: path,
            detail: "written by format \(format), this build reads up to format "
                + "\(FileFormat.written)",
            remedy: "use a newer firn")
    }

    private static func checkFeatures(
        _ superblock: Superblock, path: String
    ) throws(StoreError) {
        let unknown = superblock.incompatibleFeatures & ~Superblock.knownFeatures
        guard unknown == 0 else {
            throw StoreError(
                .formatTooNew, path: path,
                detail: "it uses features that this build does not know (bits "
                    + "\(String(unknown, radix: 16)))",
                remedy: "use a newer firn")
        }
    }
}

/// The header bytes that were last read, and their evaluation.
///
/// Evaluating the bytes is most of the work of finding the newest root, and equal bytes give an
/// equal result.
struct SeenHeader: Sendable {
    let bytes: [UInt8]
    let reading: SuperblockReading

    /// Whether all copies are unchanged.
    func isSame(as header: [UInt8]) -> Bool {
        guard header.count == bytes.count, bytes.count == Superblock.headerByteCount else {
            return false
        }
        // The comparison is by words, because arrays would be compared byte by byte.
        return bytes.withUnsafeBytes { old in
            header.withUnsafeBytes { new in
                (0..<Superblock.copyCount).allSatisfy { copy in
                    let start = copy * Superblock.pageByteCount
                    var difference: UInt64 = 0
                    for offset in stride(from: 0, to: Superblock.recordByteCount, by: 8) {
                        difference |=
                            old.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
                            ^ new.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
                    }
                    return difference == 0
                }
            }
        }
    }
}
