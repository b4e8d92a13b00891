import FirnEngine
import FirnValues

/// Quantiles of values on disk; only some of the values are in memory at a time.
///
/// Owners with few values are read together. For one with many, the values are counted by their
/// highest 16 bits, then those that begin like the wanted one by the next 16 bits, until those that are
/// left fit into memory: Munro and Paterson, "Selection and sorting with limited storage", 1980, with
/// digits in the place of samples.
extension SpilledSamples {
    /// The number of owners with many values that are searched at the same time, each with a table of
    /// 512 KB.
    private static let searchCountMax = 16

    /// Returns a quantile of the values of each owner; null if it has none.
    ///
    /// - Parameters:
    ///   - fraction: from 0 to 1, 0.5 for the median.
    ///   - ownerCount: the number of owners.
    ///   - countMax: the number of values that may be in memory, at least one.
    ///   - willRead: called before a block of values is read; an error ends the search.
    func quantiles(
        _ fraction: Double, ownerCount: Int, countMax: Int,
        willRead: () throws(StoreError) -> Void
    ) throws(StoreError) -> [Value] {
        var results = [Value](repeating: .null, count: ownerCount)
        var few: [Int] = []
        var many: [Int] = []
        var count = 0
        for owner in counts.indices where counts[owner] > 0 {
            if counts[owner] > countMax {
                many.append(owner)
                continue
            }
            if count + counts[owner] > countMax {
                try collect(few, fraction, willRead, &results)
                (few, count) = ([], 0)
            }
            few.append(owner)
            count += counts[owner]
        }
        try collect(few, fraction, willRead, &results)
        for start in stride(from: 0, to: many.count, by: Self.searchCountMax) {
            let owners = many[start..<min(many.count, start + Self.searchCountMax)]
            let searches = owners.map {
                Search(owner: $0, QuantilePosition(fraction, of: counts[$0]), count: counts[$0])
            }
            try search(searches, countMax: countMax, willRead, &results)
        }
        return results
    }

    // MARK: Few values

    /// Computes the quantiles of owners, all of whose values fit into memory.
    private func collect(
        _ members: [Int], _ fraction: Double, _ willRead: () throws(StoreError) -> Void,
        _ results: inout [Value]
    ) throws(StoreError) {
        guard let first = members.first, let last = members.last else { return }
        /// The place of the next value of each owner, starting with the first owner, or -1.
        var next = [Int](repeating: -1, count: last - first + 1)
        var count = 0
        for owner in members {
            next[owner - first] = count
            count += counts[owner]
        }
        var collected = [Double](repeating: 0, count: count)
        try visit { values, owners throws(StoreError) in
            try willRead()
            for (index, owner) in owners.enumerated() {
                let place = Int(owner) - first
                guard next.indices.contains(place), next[place] >= 0 else { continue }
                collected[next[place]] = values[index]
                next[place] += 1
            }
        }
        for owner in members {
            let end = next[owner - first]
            let range = end - counts[owner]..<end
            let position = QuantilePosition(fraction, of: range.count)
            results[owner] = .double(
                collected.withUnsafeMutableBufferPointer {
                    position.value(in: UnsafeMutableBufferPointer(rebasing: $0[range]))
                })
        }
    }

    // MARK: Many values

    /// The search for the value of an owner at an index of their order.
    private struct Search {
        let owner: Int
        let position: QuantilePosition
        /// The known highest bits of the value, and their number.
        var prefix: UInt64 = 0
        var bitCount = 0
        /// The number of values with these bits, and the number of values before them.
        var count: Int
        var before = 0

        init(owner: Int, _ position: QuantilePosition, count: Int) {
            self.owner = owner
            self.position = position
            self.count = count
        }

        /// Returns how a code compares with the remaining values.
        func place(of code: UInt64) -> (isBefore: Bool, isAfter: Bool) {
            let high = bitCount == 0 ? 0 : code >> UInt64(64 - bitCount)
            return (high < prefix, high > prefix)
        }

        /// Determines the next 16 bits.
        mutating func narrow(by histogram: [Int]) {
            for (digit, digitCount) in histogram.enumerated() {
                guard before + digitCount <= position.lower else {
                    prefix = prefix << 16 | UInt64(digit)
                    bitCount += 16
                    count = digitCount
                    return
                }
                before += digitCount
            }
        }
    }

    private func search(
        _ searches: [Search], countMax: Int, _ willRead: () throws(StoreError) -> Void,
        _ results: inout [Value]
    ) throws(StoreError) {
        var searches = searches
        let shareMax = max(1, countMax / searches.count)
        func isWide(_ search: Search) -> Bool { search.count > shareMax && search.bitCount < 64 }
        while searches.contains(where: isWide) {
            var histograms = searches.map { [Int](repeating: 0, count: isWide($0) ? 1 << 16 : 0) }
            try visitCodes(of: searches, willRead) { index, code in
                let search = searches[index]
                let place = search.place(of: code)
                guard !histograms[index].isEmpty, !place.isBefore, !place.isAfter else { return }
                histograms[index][Int(code >> UInt64(48 - search.bitCount) & 0xFFFF)] += 1
            }
            for index in searches.indices where isWide(searches[index]) {
                searches[index].narrow(by: histograms[index])
            }
        }
        try finish(searches, willRead, &results)
    }

    /// Reads the remaining values, and the smallest value after them.
    private func finish(
        _ searches: [Search], _ willRead: () throws(StoreError) -> Void, _ results: inout [Value]
    ) throws(StoreError) {
        var left = searches.map { _ in [Double]() }
        var after = [UInt64](repeating: .max, count: searches.count)
        try visitCodes(of: searches, willRead) { index, code in
            let place = searches[index].place(of: code)
            if place.isAfter {
                after[index] = min(after[index], code)
            } else if !place.isBefore, searches[index].bitCount < 64 {
                left[index].append(Double(orderCode: code))
            }
        }
        for (index, search) in searches.enumerated() {
            let position = search.position
            let last = search.before + search.count - 1
            let next = Double(orderCode: after[index])
            var values = left[index]
            // All 64 bits are known of equal values.
            if search.bitCount == 64 { values = [Double(orderCode: search.prefix)] }
            values.sort()
            let lower = search.bitCount == 64 ? 0 : position.lower - search.before
            let upper = search.bitCount == 64 ? 0 : position.upper - search.before
            results[search.owner] = .double(
                position.value(values[lower], position.upper > last ? next : values[upper]))
        }
    }

    /// Visits the codes of all values of the owners being searched.
    private func visitCodes(
        of searches: [Search], _ willRead: () throws(StoreError) -> Void,
        _ body: (_ search: Int, _ code: UInt64) -> Void
    ) throws(StoreError) {
        var numbers = [Int8](repeating: -1, count: counts.count)
        for (index, search) in searches.enumerated() { numbers[search.owner] = Int8(index) }
        try visit { values, owners throws(StoreError) in
            try willRead()
            for (index, owner) in owners.enumerated() where numbers[Int(owner)] >= 0 {
                body(Int(numbers[Int(owner)]), values[index].orderCode)
            }
        }
    }
}

extension Double {
    /// A number with the same order as the value, which must not be NaN.
    fileprivate var orderCode: UInt64 {
        let bits = bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    fileprivate init(orderCode: UInt64) {
        self.init(bitPattern: orderCode >> 63 == 1 ? orderCode ^ 1 << 63 : ~orderCode)
    }
}
