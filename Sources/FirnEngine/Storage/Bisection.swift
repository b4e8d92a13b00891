/// Searches ascending arrays by halving.
enum Bisection {
    /// The last element of an ascending array for which the condition holds, by bisection.
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
