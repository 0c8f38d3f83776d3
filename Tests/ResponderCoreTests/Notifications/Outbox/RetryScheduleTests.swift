import LightningCrypto
import ResponderCore
import Testing

@Suite("When failed work is tried again", .timeLimit(.minutes(5)))
struct RetryScheduleTests {
    private let none: RandomSource = { _ throws(CryptoFault) in throw .entropyUnavailable }

    @Test("The pauses grow to hours, and eleven attempts take a day")
    func day() {
        var pauses: [UInt64] = []
        while let pause = RetrySchedule.day.pause(after: UInt64(pauses.count + 1), random: none) {
            pauses.append(pause)
        }
        #expect(pauses == [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800])
        #expect((82_800...86_400).contains(pauses.reduce(0, +)))
    }

    @Test("Each pause is up to a quarter longer, exactly as drawn")
    func jitter() {
        let schedule = RetrySchedule(pauses: [400])
        for (bytes, pause) in [([0, 0], 400), ([0x80, 0], 450), ([0xFF, 0xFF], 499)] as [([UInt8], UInt64)] {
            let drawn = schedule.pause(after: 1) { count throws(CryptoFault) in
                #expect(count == 2)
                return bytes
            }
            #expect(drawn == pause)
        }
    }

    @Test("Beyond the schedule there is no pause", arguments: [0, 2, UInt64.max])
    func outside(attempts: UInt64) {
        #expect(RetrySchedule(pauses: [1]).pause(after: attempts, random: none) == nil)
    }
}
