import FirnValues

/// A test of individual values, whose pattern is prepared once.
struct ValueTest {
    private let test: ColumnTest
    private let matcher: TextMatcher?

    init(_ test: ColumnTest) {
        self.test = test
        if case .text(let pattern) = test {
            matcher = TextMatcher(pattern)
        } else {
            matcher = nil
        }
    }

    func passes(_ value: Value) -> Bool {
        matcher?.matches(value) ?? FirnCodec.value(value, passes: test)
    }
}
