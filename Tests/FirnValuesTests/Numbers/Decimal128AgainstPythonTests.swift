import FirnTesting
import FirnValues
import Testing

/// Random operations, compared with another implementation: the module `decimal` of Python.
@Suite("Decimals compared with Python")
struct Decimal128AgainstPythonTests {
    /// A program that answers each line of an operation and its operands with one line.
    private static let program = """
        import sys
        from decimal import Context, Decimal, ROUND_HALF_EVEN
        context = Context(prec=34, Emin=-6143, Emax=6144, rounding=ROUND_HALF_EVEN, clamp=1, traps=[])
        number = context.create_decimal
        operations = {
            "add": lambda a, b: context.add(number(a), number(b)),
            "subtract": lambda a, b: context.subtract(number(a), number(b)),
            "multiply": lambda a, b: context.multiply(number(a), number(b)),
            "divide": lambda a, b: context.divide(number(a), number(b)),
            "compare": lambda a, b: context.compare(number(a), number(b)),
            "reduce": lambda a, b: context.normalize(number(a)),
            "parse": lambda a, b: number(a),
            "double": lambda a, b: float(number(a)).hex(),
            "binary": lambda a, b: context.create_decimal_from_float(float.fromhex(a)),
        }
        for line in sys.stdin:
            operation, *operands = line.split()
            print(operations[operation](*operands))
        """

    @Test("Random operations have the same results as in Python", arguments: TestScale.seeds(10))
    func operations(seed: UInt64) throws {
        var source = DecimalSource(seed: seed)
        let rounds = (0..<10_000).map { _ in source.next() }
        let input = rounds.map { "\($0.operation) \($0.left) \($0.right)\n" }.joined()
        let python = CommandRunner(
            "/usr/bin/env", environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"],
            timeoutSeconds: 300)
        let answers = try python.run(["python3", "-c", Self.program], input: Array(input.utf8))
        #expect(answers.status == 0, "\(answers.errorText)")
        let lines = answers.outputText.split(separator: "\n")
        try #require(lines.count == rounds.count)
        for (round, expected) in zip(rounds, lines) {
            let answer = try #require(result(of: round), "seed \(seed): \(round)")
            #expect(answer == expected, "seed \(seed): \(round)")
        }
    }

    private func result(of round: DecimalSource.Round) -> String? {
        switch round.operation {
        case .parse: return Decimal128(rounding: round.left)?.description
        case .binary:
            return Double(round.left).map { Decimal128(binaryValueOf: $0).description }
        case .double:
            return Decimal128(round.left).map { DecimalSource.hexadecimal($0.nearestDouble) }
        case .reduce: return Decimal128(round.left)?.reduced.description
        case .compare:
            guard let left = Decimal128(round.left), let right = Decimal128(round.right) else {
                return nil
            }
            if left.isNaN || right.isNaN { return left.adding(right).description }
            return String(left.numericOrder(relativeTo: right).rawValue)
        case .add, .subtract, .multiply, .divide:
            guard let left = Decimal128(round.left), let right = Decimal128(round.right) else {
                return nil
            }
            return arithmetic(round.operation, left, right).description
        }
    }

    private func arithmetic(
        _ operation: DecimalSource.Operation, _ left: Decimal128, _ right: Decimal128
    ) -> Decimal128 {
        switch operation {
        case .subtract: left.subtracting(right)
        case .multiply: left.multiplied(by: right)
        case .divide: left.divided(by: right)
        default: left.adding(right)
        }
    }
}
