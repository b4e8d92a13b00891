/// Crashes a workload at every operation, and verifies the possible states after each crash.
///
///     try CrashExplorer("append").explore(
///         setup: { try makeStore($0) },
///         workload: { disk, journal in
///             for number in 0..<10 { try journal.perform(number) { try append(number, disk) } }
///         },
///         recover: { try open($0) },
///         verify: { disk, journal in try expectAll(journal.acknowledged, disk) })
///
/// The first run counts the operations. Then, for each operation, the workload runs again on a
/// fresh copy of the disk after `setup` and the machine stops there: before the operation and, for
/// a write, in the middle of its bytes. (The disk after an operation equals that before the next.)
/// Every stopped machine leaves several images: the killed process, the power loss that keeps
/// nothing, the one that keeps everything, and random ones, some of them with large sectors and
/// former disk content where a file grew. The last point is the end of the workload, whose unsynced
/// data is lost, too.
package struct CrashExplorer: Sendable {
    package let name: String
    package var seed: UInt64
    /// The number of random power losses per point, in addition to the three special images, and
    /// half as many with large sectors and former disk content where a file grew.
    package var randomImages: Int
    /// With more moments than this, an even selection of that size is explored.
    package var pointsMax: Int
    /// The number of crashes of the recovery per point.
    package var recoveryCrashes: Int

    package init(
        _ name: String, seed: UInt64 = 1 + TestScale.firstSeed,
        randomImages: Int = TestScale.scaled(5),
        pointsMax: Int = TestScale.scaled(400), recoveryCrashes: Int = TestScale.scaled(1)
    ) {
        self.name = name
        self.seed = seed
        self.randomImages = randomImages
        self.pointsMax = pointsMax
        self.recoveryCrashes = recoveryCrashes
    }

    /// The extent of an exploration.
    package struct Report: Hashable, Sendable {
        package var operations = 0
        package var points = 0
        package var images = 0
    }

    /// Explores all points, or only the given one of an earlier failure.
    ///
    ///  - Parameters:
    ///   - setup: makes the disk on which every run starts; it is entirely durable.
    ///   - workload: does the same operations every time, and records its steps in the journal.
    ///   - recover: opens and closes the files after the crash, and does nothing else; if given,
    ///     crashes during the recovery are explored, too.
    ///   - verify: throws unless the image is one that the steps of the journal allow.
    /// - Throws: ``CrashFailure`` for the first image that fails.
    @discardableResult
    package func explore<Step: Sendable>(
        of _: Step.Type = Step.self, only: CrashPoint? = nil,
        setup: (SimulatedFileSystem) throws -> Void,
        workload: @escaping (SimulatedFileSystem, CrashJournal<Step>) throws -> Void,
        recover: ((SimulatedFileSystem) throws -> Void)? = nil,
        verify: @escaping (SimulatedFileSystem, CrashJournal<Step>) throws -> Void
    ) throws -> Report {
        let start = SimulatedFileSystem()
        try setup(start)
        let run = Run(
            explorer: self, start: start.powerLossImage(.everythingSurvives), workload: workload,
            recover: recover, verify: verify)
        if let only {
            try run.replay(only)
            return Report(operations: only.operation, points: 1, images: 1)
        }
        let report = try run.exploreAll()
        RunCounters.crashPoints.add(report.points)
        RunCounters.crashImages.add(report.images)
        print(
            "\(name): explored \(report.points) points of \(report.operations) operations, "
                + "\(report.images) images")
        return report
    }
}

/// One exploration with its closures.
private struct Run<Step: Sendable> {
    let explorer: CrashExplorer
    let start: SimulatedFileSystem
    let workload: (SimulatedFileSystem, CrashJournal<Step>) throws -> Void
    let recover: ((SimulatedFileSystem) throws -> Void)?
    let verify: (SimulatedFileSystem, CrashJournal<Step>) throws -> Void

    func exploreAll() throws -> CrashExplorer.Report {
        let whole = start.processDeathImage()
        try workload(whole, CrashJournal())
        let history = whole.history
        var report = CrashExplorer.Report(operations: history.count)
        for operation in selection(of: history.count) {
            let isWrite = operation < history.count && history[operation].kind == .write
            for part in isWrite ? [AppliedPart.nothing, .half] : [.nothing] {
                report.points += 1
                report.images += try exploreImages(operation, part, history)
            }
        }
        return report
    }

    func replay(_ point: CrashPoint) throws {
        let (stopped, journal) = try crash(point.operation, point.applying)
        try check(point, stopped, journal, "\(stopped.history.last.map(\.description) ?? "start")")
    }

    /// All moments, from before the first operation to after the last, or an even selection.
    private func selection(of count: Int) -> [Int] {
        let moments = count + 1
        guard moments > explorer.pointsMax, explorer.pointsMax > 1 else {
            return Array(0..<moments)
        }
        return (0..<explorer.pointsMax).map { $0 * count / (explorer.pointsMax - 1) }
    }

    private func exploreImages(
        _ operation: Int, _ part: AppliedPart, _ history: [SimulatedOperation]
    ) throws -> Int {
        let text = operation < history.count ? "\(history[operation])" : "the end"
        let (stopped, journal) = try crash(operation, part)
        var generator = SplitMix64(
            seed: explorer.seed &* 0x1_0000_01B3 &+ UInt64(operation) &* 2
                &+ (part == .half ? 1 : 0))
        var images: [CrashImage] = [
            .processDeath, .powerLoss(.nothingSurvives), .powerLoss(.everythingSurvives),
        ]
        for number in 0..<explorer.randomImages {
            images.append(.powerLoss(.random(seed: generator.next() % 1_000_000_000)))
            guard number % 2 == 0 else { continue }
            let seed = generator.next() % 1_000_000_000
            images.append(.powerLoss(.leftovers(seed: seed)))
        }
        var count = 0
        for image in images {
            let point = CrashPoint(operation: operation, applying: part, image: image)
            try check(point, stopped, journal, text)
            count += 1
        }
        guard recover != nil else { return count }
        for _ in 0..<explorer.recoveryCrashes {
            guard let image = images.randomElement(using: &generator) else { break }
            let operations = try recoveryOperations(image.disk(after: stopped))
            guard operations > 0 else { continue }
            var point = CrashPoint(operation: operation, applying: part, image: image)
            point.recoveryCrash = .init(
                operation: Int.random(in: 0..<operations, using: &generator),
                seed: generator.next() % 1_000_000_000)
            try check(point, stopped, journal, text)
            count += 1
        }
        return count
    }

    /// Runs the workload on a fresh disk until the machine stops.
    private func crash(
        _ operation: Int, _ part: AppliedPart
    ) throws -> (SimulatedFileSystem, CrashJournal<Step>) {
        let disk = start.processDeathImage()
        disk.crash(at: operation, applying: part)
        let journal = CrashJournal<Step>()
        do {
            try workload(disk, journal)
        } catch {
            // An error other than the crash comes from the workload itself.
            guard disk.hasCrashed else { throw error }
        }
        return (disk, journal)
    }

    private func recoveryOperations(_ disk: SimulatedFileSystem) throws -> Int {
        disk.forgetHistory()
        try recover?(disk)
        return disk.operationCount
    }

    private func check(
        _ point: CrashPoint, _ stopped: SimulatedFileSystem, _ journal: CrashJournal<Step>,
        _ operation: String
    ) throws {
        do {
            var image = point.image.disk(after: stopped)
            if let second = point.recoveryCrash {
                image.crash(at: second.operation)
                do {
                    try recover?(image)
                } catch {
                    guard image.hasCrashed else { throw error }
                }
                image = image.powerLossImage(.random(seed: second.seed))
            }
            try verify(image, journal)
        } catch {
            throw CrashFailure(
                name: explorer.name, point: point, operation: operation, reason: error)
        }
    }
}
