import FirnTesting
import FirnValues

/// Runs the same work on databases with different numbers of rows per group, in turns.
struct RowGroupComparison {
    private typealias Cost = RowGroupSubject.Cost

    let csv: String
    let sizes: [Int]

    /// - Returns: a table, one line per number of rows.
    func run(_ repetitions: Repetitions) throws -> String {
        let folder = TemporaryFolder()
        return try withExtendedLifetime(folder) {
            let subjects = sizes.map {
                RowGroupSubject(rowsPerGroup: $0, csv: csv, folder: folder)
            }
            return try table(subjects, repetitions)
        }
    }

    private func table(
        _ subjects: [RowGroupSubject], _ repetitions: Repetitions
    ) throws -> String {
        Console.note("importing")
        let imports = try turns(subjects, repetitions.heavyRuns) { subject, _ in
            try subject.makeFile()
        }
        let fileSizes = try subjects.map { try $0.fileSize() }
        let count = FlightsQuery.all[0]
        let average = FlightsQuery.all[4]
        Console.note("scanning")
        let counts = try turns(subjects, repetitions.runs) { subject, _ in try subject.scan(count) }
        let averages = try turns(subjects, repetitions.runs) { subject, _ in
            try subject.scan(average)
        }
        let warm = try turns(subjects, repetitions.runs) { subject, _ in try subject.warm(count) }
        Console.note("fetching")
        let points = try turns(subjects, repetitions.runs) { subject, row in
            try subject.point(row)
        }
        // Last, because it changes the files.
        Console.note("updating")
        let updates = try turns(subjects, repetitions.runs) { subject, row in
            try subject.update(row, to: Int64(row.rawValue % 1_000) + 2_000)
        }
        var table = MarkdownTable([
            "rows per group", "file", "import", "scan Q1", "read", "scan Q5", "point", "read",
            "calls", "update", "written", "warm Q1",
        ])
        for index in subjects.indices {
            table.add([
                String(subjects[index].rowsPerGroup), Figures.bytes(fileSizes[index]),
                time(imports[index]), time(counts[index]), bytes(counts[index], \.bytesRead),
                time(averages[index]), time(points[index]), bytes(points[index], \.bytesRead),
                calls(points[index]), time(updates[index]), bytes(updates[index], \.bytesWritten),
                time(warm[index]),
            ])
        }
        return table.text
    }

    /// All subjects in turns with the same object, repeatedly.
    private func turns<Sample>(
        _ subjects: [RowGroupSubject], _ rounds: Int,
        _ work: (RowGroupSubject, RowID) throws -> Sample
    ) throws -> [[Sample]] {
        // Always the same objects, spread over the whole table.
        var generator = SplitMix64(seed: 7)
        var samples = subjects.map { _ in [Sample]() }
        for _ in 0..<rounds {
            let row = RowID(generator.next() % 300_000)
            for (index, subject) in subjects.enumerated() {
                samples[index].append(try work(subject, row))
            }
        }
        return samples
    }

    private func time(_ samples: [UInt64]) -> String {
        Statistics(samples).map { Figures.time($0.median) } ?? "-"
    }

    private func time(_ costs: [Cost]) -> String { time(costs.map(\.nanoseconds)) }

    private func bytes(_ costs: [Cost], _ which: KeyPath<FileCounts, UInt64>) -> String {
        Statistics(costs.map { $0.files[keyPath: which] }).map { Figures.bytes($0.median) } ?? "-"
    }

    private func calls(_ costs: [Cost]) -> String {
        Statistics(costs.map { UInt64(clamping: $0.files.readCalls) }).map { "\($0.median)" } ?? "-"
    }
}
