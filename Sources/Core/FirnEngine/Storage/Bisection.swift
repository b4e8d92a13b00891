import FirnValues

/// Binary search in ascending arrays.
enum Bisection {
    /// Returns the index of the last element for which the condition holds.
    ///
    /// The condition must hold for a prefix of the array.
    static func lastIndex<Element>(
        in array: [Element], _ condition: (Element) -> Bool
    ) -> Int? {
        var low = 0
        var high = array.count
        while low < high {
            let middle = (low + high) / 2
            if condition(array[middle]) { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : low - 1
    }
}
