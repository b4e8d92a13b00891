import FirnValues

/// The roots that may still be read, so that their space must not be overwritten.
///
/// While root B is built, these are: the current root B - 1; the root before it, unless the current
/// one is known to be on disk, as a power loss may lead back to it, with the roots that only it
/// kept; every root that a process pins; every root that the history of the current one keeps.
///
/// The set never grows except by the newest root. Distinctions that matter only to roots outside
/// the set can therefore be dropped; see ``floor(_:)``.
struct RetainedRoots: Hashable, Sendable {
    /// The ranges of root versions: ascending, disjoint and not adjacent.
    ///
    /// They are ranges because locks are. One lock over very many roots must not make a writer
    /// count them.
    private(set) var ranges: [ClosedRange<UInt64>] = []

    init(_ versions: [RootVersion] = [], ranges: [ClosedRange<UInt64>] = []) {
        let all = versions.map { $0.rawValue...$0.rawValue } + ranges
        for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard let last = self.ranges.last, range.lowerBound <= last.upperBound &+ 1 else {
                self.ranges.append(range)
                continue
            }
            self.ranges[self.ranges.count - 1] =
                last.lowerBound...max(last.upperBound, range.upperBound)
        }
    }

    /// Whether a root K with born <= K < freed may be read.
    func need(born: RootVersion, freed: RootVersion) -> Bool { floor(born) != floor(freed) }

    /// Returns the lowest version above all retained roots before a given one.
    ///
    /// Space that was allocated, or freed, at either of the two versions is needed by the same
    /// roots.
    ///
    /// - Complexity: O(log roots)
    func floor(_ version: RootVersion) -> RootVersion {
        guard let range = lastRange(before: version.rawValue) else { return RootVersion(0) }
        return RootVersion(min(range.upperBound + 1, version.rawValue))
    }

    /// Returns the greatest retained root before a given one.
    func last(before version: RootVersion) -> RootVersion? {
        lastRange(before: version.rawValue).map {
            RootVersion(min($0.upperBound, version.rawValue - 1))
        }
    }

    func contains(_ version: RootVersion) -> Bool {
        last(before: RootVersion(version.rawValue + 1)) == version
    }

    /// Returns the set without one root.
    func removing(_ version: RootVersion) -> RetainedRoots {
        let version = version.rawValue
        return RetainedRoots(
            ranges: ranges.flatMap { range -> [ClosedRange<UInt64>] in
                guard range.contains(version) else { return [range] }
                var parts: [ClosedRange<UInt64>] = []
                if range.lowerBound < version { parts.append(range.lowerBound...(version - 1)) }
                if version < range.upperBound { parts.append((version + 1)...range.upperBound) }
                return parts
            })
    }

    /// Whether any root K with born <= K < freed is in this set.
    func meets(born: RootVersion, freed: RootVersion) -> Bool {
        guard let last = last(before: freed) else { return false }
        return last >= born
    }

    private func lastRange(before version: UInt64) -> ClosedRange<UInt64>? {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound < version { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : ranges[low - 1]
    }
}
