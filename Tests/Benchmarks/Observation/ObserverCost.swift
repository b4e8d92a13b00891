import FirnTesting

/// The cost of an observer for writers: the same commits to two databases in turns, one of them
/// observed.
///
///     stopped     nothing is read from its pipe, which is full
///     reading     each line is read at once
struct ObserverCost {
    private let latency: StreamLatency

    init(_ latency: StreamLatency) { self.latency = latency }

    func table() throws -> String {
        var table = MarkdownTable(["one-row commit beside", "median", "to nobody, pair by pair"])
        for isRead in [false, true] {
            let name = isRead ? "an observer that is read" : "an observer that stands still"
            Console.note(name)
            let (observed, ratio) = try measure(isRead: isRead)
            table.add([name, Figures.time(observed), Figures.short(ratio)])
        }
        return table.text
    }

    private func measure(isRead: Bool) throws -> (median: UInt64, ratio: Double) {
        let (path, commit, close) = try latency.database("observed-\(isRead).firn")
        let (_, commitAlone, closeAlone) = try latency.database("alone-\(isRead).firn")
        defer {
            close()
            closeAlone()
        }
        let observe = "exec \"$0\" observe \"$1\" Person --shape rows --initial none"
        let observer = try PipedProcess(
            "/bin/sh", ["-c", observe + (isRead ? " >/dev/null" : ""), latency.firn, path])
        if !isRead { _ = try observer.line() }
        // The pipe is full after these commits.
        for _ in 0..<2_000 { try commit() }
        var times: [UInt64] = []
        var ratios: [Double] = []
        for round in 0..<latency.samples {
            // The order alternates, so that both are affected alike by what the other leaves
            // behind.
            let first = try Stopwatch.time { try round % 2 == 0 ? commit() : commitAlone() }
            let second = try Stopwatch.time { try round % 2 == 0 ? commitAlone() : commit() }
            let (mine, alone) = round % 2 == 0 ? (first, second) : (second, first)
            times.append(mine)
            ratios.append(Double(mine) / Double(max(1, alone)))
        }
        observer.kill()
        _ = observer.finish()
        return (Statistics(times)?.median ?? 0, ratios.sorted()[ratios.count / 2])
    }
}
